import { Button, Menu } from '@mantine/core';
import { FileDown } from 'lucide-react';
import { downloadTask } from '#web/foundation/api/download-task.ts';
import { supplyChain } from '#web/foundation/api/services.ts';
import { notify, notifyProblem } from '#web/foundation/notify/notify.ts';
import { useAbortSignal } from '#web/foundation/react/use-abort-signal.ts';
import { useOrg } from '#web/foundation/session/org.ts';

const VERSIONS = ['V1_7', 'V1_6', 'V1_5', 'V1_4'] as const;
const FORMATS = ['JSON', 'XML'] as const;

/** Exports the SBOM of a project as CycloneDX in a chosen version. */
export function SbomMenu({ projectId }: { projectId: string }) {
  const org = useOrg();
  const signalOf = useAbortSignal();
  const start = async (version: (typeof VERSIONS)[number], format: (typeof FORMATS)[number]) => {
    const signal = signalOf();
    try {
      notify('Generating the bill of materials …');
      const { taskTokenJwt } = await supplyChain.generateSbomAsync({
        path: { deploymentId: org.id },
        body: {
          repositoryId: projectId,
          sbomOutputFormat: `SBOM_OUTPUT_FORMAT_${format}`,
          formatVersion: {
            format: 'SBOM_FORMAT_CYCLONEDX',
            cyclonedxVersion: `SBOM_CYCLONE_DX_VERSION_${version}`,
          },
        },
      });
      await downloadTask(taskTokenJwt, signal);
    } catch (error) {
      if (!signal.aborted) notifyProblem(error);
    }
  };
  return (
    <Menu position="bottom-start">
      <Menu.Target>
        <Button variant="default" mt="sm" leftSection={<FileDown size={16} />}>
          Bill of materials
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {VERSIONS.flatMap((version) =>
          FORMATS.map((format) => (
            <Menu.Item key={version + format} onClick={() => void start(version, format)}>
              CycloneDX {version.slice(1).replace('_', '.')}, {format}
            </Menu.Item>
          )),
        )}
      </Menu.Dropdown>
    </Menu>
  );
}
