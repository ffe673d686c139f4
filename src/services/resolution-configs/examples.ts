import type { Examples } from '#kernel/contract/example.ts';
import type * as contract from './contract.ts';

export const examples: Examples<typeof contract> = {
  getScaResolutionConfigs: (of) => ({
    path: { deploymentId: of('Deployment'), projectId: of('Project') },
  }),
  setScaResolutionConfigs: (of) => ({
    path: { deploymentId: of('Deployment'), projectId: of('Project') },
    body: {
      resolutionConfigs: {
        perSubproject: {
          'services/api': {
            configVersion: 1,
            miseTools: { java: '21' },
            envVars: { MAVEN_OPTS: '-Xmx1g' },
            systemPackages: [],
            commands: ['mvn -q org.cyclonedx:cyclonedx-maven-plugin:makeBom -DoutputFormat=json'],
            outputPath: 'target/bom.json',
            outputFormat: 'SCA_RESOLUTION_OUTPUT_FORMAT_CYCLONEDX_JSON',
            resolutionTimeoutS: 600,
          },
        },
      },
    },
  }),
};
