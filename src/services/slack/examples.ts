import type { Examples } from '#kernel/contract/example.ts';
import type * as contract from './contract.ts';

export const examples: Examples<typeof contract> = {
  getSlackChannelMappings: (of) => ({ path: { deploymentId: of('Deployment') } }),
  getSlackNotificationMappings: (of) => ({ path: { deploymentId: of('Deployment') } }),
  installSlackApp: (of) => ({ path: { deploymentId: of('SlackDeployment') } }),
  deleteSlackInstallation: (of) => ({ path: { deploymentId: of('SlackDeployment') } }),
  getSlackInstallation: (of) => ({ path: { deploymentId: of('Deployment') } }),
  handleSlackCallback: (of) => ({
    path: { deploymentId: of('SlackDeployment') },
    body: { state: 'Ab3d…', code: '1234567890.1234567890.abcdef' },
  }),
  getSlackApp: (of) => ({ path: { deploymentId: of('Deployment') } }),
  setSlackApp: (of) => ({
    path: { deploymentId: of('Deployment') },
    body: { client_id: '1234567890.1234567890', client_secret: '0123456789abcdef0123456789abcdef' },
  }),
  listSlackConversations: (of) => ({
    path: { deploymentId: of('SlackDeployment') },
    query: { after: '', count: 100 },
  }),
  createSlackChannelMapping: (of) => ({
    path: { deploymentId: of('SlackDeployment') },
    body: { channel_id: 'C024BE91L' },
  }),
  deleteSlackChannelMapping: (of) => ({
    path: { deploymentId: of('Deployment'), mappingId: of('SlackChannelMapping') },
  }),
  testSlackChannelMapping: (of) => ({
    path: { deploymentId: of('Deployment'), mappingId: of('SlackChannelMapping') },
    body: {},
  }),
};
