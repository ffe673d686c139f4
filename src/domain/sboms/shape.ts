import { z } from 'zod';
import { fault } from '#kernel/contract/fault.ts';
import { id, line, oneOf } from '#kernel/contract/proto-fields.ts';

export const SBOM_SUBJECT_UNKNOWN = fault(
  'SBOM_SUBJECT_UNKNOWN',
  400,
  'There is nothing to export: {reason}.',
  'Name a repository that you can see, and one of its scanned refs; the default is the primary ref.',
);

export const SbomVersion = oneOf([
  'SBOM_CYCLONE_DX_VERSION_V1_4',
  'SBOM_CYCLONE_DX_VERSION_V1_5',
  'SBOM_CYCLONE_DX_VERSION_V1_6',
  'SBOM_CYCLONE_DX_VERSION_V1_7',
]);
export type SbomVersion = z.output<typeof SbomVersion>;

const COMPONENT = 'SBOM_METADATA_COMPONENT_TYPE_CYCLONE_DX_V15_';
export const SbomComponentType = oneOf([
  `${COMPONENT}APPLICATION`,
  `${COMPONENT}FRAMEWORK`,
  `${COMPONENT}LIBRARY`,
  `${COMPONENT}CONTAINER`,
  `${COMPONENT}PLATFORM`,
  `${COMPONENT}OPERATING_SYSTEM`,
  `${COMPONENT}DEVICE`,
  `${COMPONENT}DEVICE_DRIVER`,
  `${COMPONENT}FIRMWARE`,
  `${COMPONENT}FILE`,
  `${COMPONENT}MACHINE_LEARNING_MODEL`,
  `${COMPONENT}DATA`,
]);
export type SbomComponentType = z.output<typeof SbomComponentType>;

/** The supplier of the software that the SBOM describes. */
export const SbomSupplier = z.object({
  name: line(256).optional(),
  url: line(2048).optional(),
  contact: z.object({ name: line(256).optional(), email: line(256).optional(), phone: line(64).optional() }).optional(),
});
export type SbomSupplier = z.output<typeof SbomSupplier>;

/** The members of an SBOM export request that both API versions share; the encoding differs. */
export const sbomRequest = {
  deploymentId: id('Deployment').optional(),
  repositoryId: id('Project'),
  ref: line(512).optional(),
  formatVersion: z
    .object({ format: oneOf(['SBOM_FORMAT_CYCLONEDX']).optional(), cyclonedxVersion: SbomVersion.optional() })
    .optional(),
  metadataComponentType: SbomComponentType.optional(),
  metadataSupplier: SbomSupplier.optional(),
};
