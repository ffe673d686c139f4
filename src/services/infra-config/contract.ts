import { z } from 'zod';
import { operation } from '#kernel/contract/operation.ts';

const members = z.record(z.string(), z.unknown());

const template = {
  AWSTemplateFormatVersion: z.string(),
  Description: z.string(),
  Metadata: members,
  Parameters: members,
  Resources: members,
  Outputs: members,
};

const facts = {
  maturity: 'experimental',
  allow: 'public',
  transaction: 'none',
  description:
    'A CloudFormation template: a private network in which machines run scans. They can open HTTPS connections, and ' +
    'nothing can open a connection to them.',
  reply: template,
} as const;

export const getBootstrapSmsVpc = operation({
  ...facts,
  route: 'GET /api/infra-config/bootstrap-sms-vpc',
  summary: 'Get a network for scans in AWS',
});

export const getV1BootstrapSmsVpc = operation({
  ...facts,
  route: 'GET /api/v1/bootstrap-sms-vpc',
  summary: 'Get a network for scans in AWS, as the v1 API asks',
});
