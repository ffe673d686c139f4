import { z } from 'zod';
import type { TrackerField, TrackerFieldKind } from './tracker.ts';

const Option = z.object({ value: z.string().optional(), name: z.string().optional() });

/** A field in the create-metadata of Jira. */
export const JiraField = z.object({
  fieldId: z.string(),
  name: z.string(),
  required: z.boolean(),
  hasDefaultValue: z.boolean().optional(),
  schema: z.object({ type: z.string(), items: z.string().optional() }),
  allowedValues: z.array(Option).optional(),
});

/** The fields that every ticket has anyway. */
const OWN_FIELDS = ['project', 'issuetype', 'summary', 'description'];

function kindOf({ type, items }: z.output<typeof JiraField>['schema']): TrackerFieldKind {
  if (type === 'string') return 'text';
  if (type === 'number') return 'number';
  if (type === 'option') return 'option';
  if (['priority', 'version', 'component', 'resolution', 'group'].includes(type)) return 'name';
  if (type !== 'array') return 'unsupported';
  if (items === 'string') return 'texts';
  if (items === 'option') return 'options';
  return items === 'component' || items === 'version' ? 'names' : 'unsupported';
}

export const trackerFieldsOf = (fields: readonly z.output<typeof JiraField>[]): TrackerField[] =>
  fields
    .filter(({ fieldId }) => !OWN_FIELDS.includes(fieldId))
    .map(({ fieldId, name, required, hasDefaultValue = false, schema, allowedValues }) => {
      const options = (allowedValues ?? []).flatMap((option) => option.value ?? option.name ?? []);
      return {
        id: fieldId,
        name,
        kind: kindOf(schema),
        isRequired: required && !hasDefaultValue,
        ...(options.length > 0 && { options }),
      };
    });

const listOf = (text: string): string[] =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');

/** Labels of Jira have no spaces. */
const labelOf = (text: string): string => text.replaceAll(/\s+/g, '-');

/** A text in the form that the kind of field has in Jira. */
export function jiraValue(kind: TrackerFieldKind, text: string): unknown {
  if (kind === 'number') return Number(text);
  if (kind === 'option') return { value: text };
  if (kind === 'name') return { name: text };
  if (kind === 'options') return listOf(text).map((value) => ({ value }));
  if (kind === 'names') return listOf(text).map((name) => ({ name }));
  return kind === 'texts' ? listOf(text).map(labelOf) : text;
}
