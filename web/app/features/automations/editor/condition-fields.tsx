import '@mantine/core/styles/Pill.layer.css';
import '@mantine/core/styles/PillsInput.layer.css';
import { Button, CloseButton, MultiSelect, Select, TagsInput } from '@mantine/core';
import { Plus } from 'lucide-react';
import type { ProblemBody } from '#web/foundation/api/problem.ts';
import { CONDITION_TYPES } from '#web/ui/automations/automation-types.ts';
import { type AutomationDraft, type ConditionDraft, fieldErrorAt, newCondition } from './automation-draft.ts';
import { ProjectIdsSelect } from './project-ids-select.tsx';

interface ConditionFieldsProps {
  draft: AutomationDraft;
  errors: ProblemBody['errors'];
  onChange: (part: Partial<AutomationDraft>) => void;
}

const POINTER = '#/automation/filters';
const COMBINATIONS = [
  { value: 'MODE_ALL', label: 'all of these are true' },
  { value: 'MODE_ANY', label: 'any of these is true' },
  { value: 'MODE_NONE', label: 'none of these is true' },
];
const MATCHES = [
  { value: 'MODE_ANY', label: 'is any of' },
  { value: 'MODE_ALL', label: 'is all of' },
  { value: 'MODE_NONE', label: 'is none of' },
];
const TYPES = Object.entries(CONDITION_TYPES).map(([value, { label }]) => ({ value, label }));

/** Edits the conditions of an automation. */
export function ConditionFields({ draft: { mode, conditions }, errors, onChange }: ConditionFieldsProps) {
  const replace = (changed: ConditionDraft) =>
    onChange({ conditions: conditions.map((condition) => (condition.key === changed.key ? changed : condition)) });
  return (
    <fieldset className="form-part">
      <legend>And</legend>
      <Select
        aria-label="How the conditions combine"
        data={COMBINATIONS}
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
          onChange={replace}
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
        aria-label="Condition"
        data={TYPES}
        searchable
        value={condition.type}
        allowDeselect={false}
        onChange={(type) => type !== null && onChange({ ...condition, type, values: [] })}
      />
      <Select
        aria-label={`Comparison for ${label}`}
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
        data={Object.entries(valueLabels).map(([value, name]) => ({ value, label: name }))}
        hidePickedOptions
      />
    );
  return (
    <TagsInput
      {...shared}
      placeholder={values.length === 0 && example ? `for example ${example}` : ''}
      acceptValueOnBlur
    />
  );
}
