import { Button, CloseButton, Select, TextInput } from '@mantine/core';
import { Plus } from 'lucide-react';
import type { ProblemBody } from '#web/foundation/api/problem.ts';
import { ACTION_TYPES, type ActionConfigField } from '#web/ui/automations/automation-types.ts';
import { TARGET_SELECTS } from './action-target.tsx';
import { type ActionDraft, fieldErrorAt, newAction } from './automation-draft.ts';

interface ActionFieldsProps {
  actions: ActionDraft[];
  /** Why this server only records an action, by its type. */
  notCarriedOut: ReadonlyMap<string, string>;
  errors: ProblemBody['errors'];
  onChange: (actions: ActionDraft[]) => void;
}

const POINTER = '#/automation/actions';
const TYPES = Object.entries(ACTION_TYPES).map(([value, { label }]) => ({ value, label }));

/** Edits the actions of an automation. */
export function ActionFields({ actions, notCarriedOut, errors, onChange }: ActionFieldsProps) {
  const replace = (changed: ActionDraft) =>
    onChange(actions.map((action) => (action.key === changed.key ? changed : action)));
  return (
    <fieldset className="form-part">
      <legend>Then</legend>
      {actions.map((action, index) => (
        <ActionRow
          key={action.key}
          action={action}
          warning={notCarriedOut.get(action.type)}
          errors={errors}
          pointer={`${POINTER}/${index}`}
          onChange={replace}
          onRemove={() => onChange(actions.filter(({ key }) => key !== action.key))}
        />
      ))}
      <Button
        variant="default"
        size="compact-sm"
        leftSection={<Plus size={14} />}
        onClick={() => onChange([...actions, newAction('ACTION_TYPE_TRIAGE')])}
      >
        Add an action
      </Button>
    </fieldset>
  );
}

interface ActionRowProps {
  action: ActionDraft;
  warning: string | undefined;
  errors: ProblemBody['errors'];
  pointer: string;
  onChange: (action: ActionDraft) => void;
  onRemove: () => void;
}

function ActionRow({ action, warning, errors, pointer, onChange, onRemove }: ActionRowProps) {
  const { label = action.type, fields } = ACTION_TYPES[action.type] ?? { fields: [] };
  const ownError = errors.find((error) => error.pointer === pointer)?.detail ?? fieldErrorAt(errors, `${pointer}/type`);
  return (
    <div className="automation-row automation-action">
      <Select
        aria-label="Action"
        data={TYPES}
        searchable
        value={action.type}
        allowDeselect={false}
        error={ownError}
        description={warning !== undefined && `Only recorded. ${warning}`}
        onChange={(type) => type !== null && onChange({ key: action.key, type, config: {} })}
      />
      <div className="automation-config">
        {fields.map((field) => (
          <ConfigField
            key={field.name}
            field={field}
            value={action.config[field.name] ?? ''}
            error={fieldErrorAt(errors, `${pointer}/config/${field.name}`)}
            onChange={(value) => onChange({ ...action, config: { ...action.config, [field.name]: value } })}
          />
        ))}
      </div>
      <CloseButton aria-label={`Remove: ${label}`} onClick={onRemove} />
    </div>
  );
}

interface ConfigFieldProps {
  field: ActionConfigField;
  value: string;
  error: string | undefined;
  onChange: (value: string) => void;
}

function ConfigField({ field, value, error, onChange }: ConfigFieldProps) {
  const { label, valueLabels, isOptional = false, picks } = field;
  const TargetSelect = picks && TARGET_SELECTS[picks];
  if (TargetSelect) return <TargetSelect label={label} value={value} error={error} onChange={onChange} />;
  if (valueLabels)
    return (
      <Select
        label={label}
        data={Object.entries(valueLabels).map(([option, name]) => ({ value: option, label: name }))}
        value={value === '' ? null : value}
        clearable={isOptional}
        required={!isOptional}
        error={error}
        onChange={(chosen) => onChange(chosen ?? '')}
      />
    );
  return (
    <TextInput
      label={label}
      required={!isOptional}
      value={value}
      error={error}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}
