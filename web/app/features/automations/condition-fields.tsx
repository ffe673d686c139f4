import '@mantine/core/styles/Pill.layer.css';
import '@mantine/core/styles/PillsInput.layer.css';
import { Button, CloseButton, MultiSelect, Select, TagsInput } from '@mantine/core';
import { Plus } from 'lucide-react';
import type { ProblemBody } from '#web/foundation/api/problem.ts';
import { type AutomationDraft, type ConditionDraft, fieldErrorAt, newCondition } from './automation-draft.ts';
import { CONDITION_TYPES } from './automation-types.ts';
import { ProjectIdsSelect } from './project-ids-select.tsx';

interface ConditionFieldsProps {
  draft: AutomationDraft;
  errors: ProblemBody['errors'];
  onChange: (part: Partial<AutomationDraft>) => void;
}

const POINTER = '#/automation/filters';
const JOINTS = [
  { value: 'MODE_ALL', label: 'all of these hold' },
  { value: 'MODE_ANY', label: 'one of these holds' },
  { value: 'MODE_NONE', label: 'none of these holds' },
];
const MATCHES = [
  { value: 'MODE_ANY', label: 'is one of' },
  { value: 'MODE_ALL', label: 'is all of' },
  { value: 'MODE_NONE', label: 'is none of' },
];
const TYPES = Object.entries(CONDITION_TYPES).map(([value, { label }]) => ({ value, label }));

/** Which findings an automation is about. */
export function ConditionFields({ draft: { mode, conditions }, errors, onChange }: ConditionFieldsProps) {
  const put = (changed: ConditionDraft) =>
    onChange({ conditions: conditions.map((one) => (one.key === changed.key ? changed : one)) });
  return (
    <fieldset className="automation-part">
      <legend>And</legend>
      <Select
        aria-label="How the conditions combine"
        data={JOINTS}
        value={mode}
        allowDeselect={false}
        error={errors.find(({ pointer }) => pointer === POINTER)?.detail}
        onChange={(value) => onChange({ mode: value ?? mode })}
      />
      {conditions.map((condition, index) => (
        <ConditionRow
          key={condition.key}
          condition={condition}
          error={fieldErrorAt(errors, `${POINTER}/conditions/${index}`)}
          onChange={put}
          onRemove={() => onChange({ conditions: conditions.filter(({ key }) => key !== condition.key) })}
        />
      ))}
      <Button
        variant="default"
        size="compact-sm"
        leftSection={<Plus size={14} />}
        onClick={() => onChange({ conditions: [...conditions, newCondition()] })}
      >
        Add a condition
      </Button>
    </fieldset>
  );
}

interface ConditionRowProps {
  condition: ConditionDraft;
  error: string | undefined;
  onChange: (condition: ConditionDraft) => void;
  onRemove: () => void;
}

function ConditionRow({ condition, error, onChange, onRemove }: ConditionRowProps) {
  const { label = condition.type } = CONDITION_TYPES[condition.type] ?? {};
  return (
    <div className="automation-row">
      <Select
        aria-label="What is looked at"
        data={TYPES}
        searchable
        value={condition.type}
        allowDeselect={false}
        onChange={(type) => type !== null && onChange({ ...condition, type, values: [] })}
      />
      <Select
        aria-label={`How ${label} is meant`}
        data={MATCHES}
        value={condition.mode}
        allowDeselect={false}
        onChange={(mode) => mode !== null && onChange({ ...condition, mode })}
      />
      <Values condition={condition} error={error} onChange={(values) => onChange({ ...condition, values })} />
      <CloseButton aria-label={`Remove the condition on ${label}`} onClick={onRemove} />
    </div>
  );
}

interface ValuesProps {
  condition: ConditionDraft;
  error: string | undefined;
  onChange: (values: string[]) => void;
}

function Values({ condition: { type, values }, error, onChange }: ValuesProps) {
  const { label = type, valueLabels, example } = CONDITION_TYPES[type] ?? {};
  const shared = { 'aria-label': `Values of ${label}`, value: values, error, onChange };
  if (type === 'CONDITION_TYPE_REPOSITORY_ID') return <ProjectIdsSelect label={`Values of ${label}`} {...shared} />;
  if (valueLabels)
    return (
      <MultiSelect
        {...shared}
        data={Object.entries(valueLabels).map(([value, word]) => ({ value, label: word }))}
        hidePickedOptions
      />
    );
  return (
    <TagsInput {...shared} placeholder={values.length === 0 && example ? `such as ${example}` : ''} acceptValueOnBlur />
  );
}
