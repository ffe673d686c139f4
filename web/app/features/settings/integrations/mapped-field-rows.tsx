import { Button, CloseButton, NativeSelect, TextInput } from '@mantine/core';
import { Plus } from 'lucide-react';
import { uniqueKey } from '#web/foundation/react/unique-key.ts';
import type { MappedFieldRow, MappedProduct } from './tracker-draft.ts';

const PRODUCTS: Record<MappedProduct, string> = {
  all: 'all findings',
  sast: 'code',
  sca: 'dependencies',
  secrets: 'secrets',
  ai_sast: 'AI',
};
const SOURCES: Record<MappedFieldRow['from'], string> = {
  '': 'a fixed text',
  severity: 'severity',
  rule: 'rule',
  title: 'title',
  product: 'type',
  project: 'project',
  path: 'path',
  advisory: 'advisory',
  package: 'package',
};
const options = (labels: Record<string, string>) => Object.entries(labels).map(([value, label]) => ({ value, label }));

interface MappedFieldRowsProps {
  rows: MappedFieldRow[];
  onChange: (rows: MappedFieldRow[]) => void;
}

/** Which fields of new tickets get which text or which value of the findings. */
export function MappedFieldRows({ rows, onChange }: MappedFieldRowsProps) {
  const replace = (key: string, part: Partial<MappedFieldRow>) =>
    onChange(rows.map((row) => (row.key === key ? { ...row, ...part } : row)));
  const add = () => onChange([...rows, { key: uniqueKey(), product: 'all', field: '', from: '', value: '' }]);
  return (
    <fieldset className="form-part">
      <legend>Fields of new tickets</legend>
      {rows.map(({ key, product, field, from, value }) => (
        <div key={key} className="settings-row">
          <TextInput
            label="Field at the tracker"
            placeholder="labels"
            required
            value={field}
            onChange={(event) => replace(key, { field: event.currentTarget.value })}
          />
          <NativeSelect
            label="For"
            data={options(PRODUCTS)}
            value={product}
            onChange={(event) => replace(key, { product: event.currentTarget.value as MappedProduct })}
          />
          <NativeSelect
            label="Gets"
            data={options(SOURCES)}
            value={from}
            onChange={(event) => replace(key, { from: event.currentTarget.value as MappedFieldRow['from'] })}
          />
          {from === '' && (
            <TextInput
              label="Text"
              value={value}
              onChange={(event) => replace(key, { value: event.currentTarget.value })}
            />
          )}
          <CloseButton
            aria-label={`Remove the field ${field}`}
            onClick={() => onChange(rows.filter((row) => row.key !== key))}
          />
        </div>
      ))}
      <Button variant="default" size="compact-sm" leftSection={<Plus size={14} />} onClick={add}>
        Add a field
      </Button>
    </fieldset>
  );
}
