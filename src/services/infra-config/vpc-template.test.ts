import assert from 'node:assert/strict';
import { test } from 'node:test';
import { VPC_TEMPLATE } from './vpc-template.ts';

const referencesIn = (value: unknown): string[] => {
  if (typeof value !== 'object' || value === null) return [];
  if (Array.isArray(value)) return value.flatMap(referencesIn);
  return Object.entries(value).flatMap(([key, inner]) => {
    if (key === 'Ref' || key === 'DependsOn') return [String(inner)];
    return key === 'Fn::GetAtt' ? [String((inner as string[])[0])] : referencesIn(inner);
  });
};

test('every reference of the template is to one of its parameters or resources', () => {
  const known = new Set([...Object.keys(VPC_TEMPLATE.Parameters), ...Object.keys(VPC_TEMPLATE.Resources)]);
  assert.deepEqual(
    referencesIn(VPC_TEMPLATE).filter((name) => !known.has(name)),
    [],
  );
});

test('machines that run scans accept no connections, and have no public address', () => {
  const { ScanSecurityGroup, ScanRoute } = VPC_TEMPLATE.Resources;
  assert.deepEqual(ScanSecurityGroup.Properties.SecurityGroupIngress, []);
  assert.equal('GatewayId' in ScanRoute.Properties, false);
});
