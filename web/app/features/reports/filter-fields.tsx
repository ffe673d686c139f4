import '@mantine/core/styles/Pill.layer.css';
import '@mantine/core/styles/PillsInput.layer.css';
import { MultiSelect, TagsInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useDeferredValue, useState } from 'react';
import { projects, tags, teams } from '#web/foundation/api/services.ts';
import { type Org, useOrg } from '#web/foundation/session/org.ts';
import {
  CHOICE_FILTERS,
  type ChoiceFilterName,
  type GuardrailsFilterName,
  type GuardrailsFilterTexts,
  NAME_FILTERS,
  type NameFilterName,
} from './filter-definitions.ts';
import { choiceWordsOf, joinList, splitList } from './filter-params.ts';

interface FieldsProps {
  texts: GuardrailsFilterTexts;
  onChange: (name: GuardrailsFilterName, text: string | undefined) => void;
}

const FIRST: readonly GuardrailsFilterName[] = ['types', 'severities', 'projects', 'tags', 'teams'];
const MORE: readonly GuardrailsFilterName[] = [
  'rules',
  'categories',
  'confidence',
  'reachability',
  'validity',
  'verdicts',
  'deployed',
  'exposure',
];

const isClosed = (name: GuardrailsFilterName): name is ChoiceFilterName => Object.hasOwn(CHOICE_FILTERS, name);

/** What the report is narrowed to: the usual filters at hand, the others one click away. */
export function FilterFields({ texts, onChange }: FieldsProps) {
  const isMoreUsed = MORE.some((name) => texts[name] !== undefined);
  const field = (name: GuardrailsFilterName) =>
    isClosed(name) ? (
      <ClosedField key={name} name={name} texts={texts} onChange={onChange} />
    ) : (
      <OpenField key={name} name={name} texts={texts} onChange={onChange} />
    );
  return (
    <div className="report-filters no-print">
      <div className="report-fields">{FIRST.map(field)}</div>
      <details open={isMoreUsed}>
        <summary>More filters</summary>
        <div className="report-fields">{MORE.map(field)}</div>
      </details>
    </div>
  );
}

function ClosedField({ name, texts, onChange }: FieldsProps & { name: ChoiceFilterName }) {
  const { label, choices } = CHOICE_FILTERS[name];
  const chosen = choiceWordsOf(name, texts[name]);
  return (
    <MultiSelect
      size="xs"
      label={label}
      placeholder={chosen.length === 0 ? 'All' : ''}
      data={choices.map(({ word, label: text }) => ({ value: word, label: text }))}
      value={chosen}
      onChange={(words) => onChange(name, words.length === 0 ? undefined : joinList(words))}
      clearable
      clearButtonProps={{ 'aria-label': `Clear ${label}` }}
    />
  );
}

const FEW = '20';

/** Names that could be meant, asked for as one types. */
const SUGGESTIONS: Record<NameFilterName, (org: Org, text: string, signal: AbortSignal) => Promise<string[]>> = {
  projects: async ({ id }, search, signal) => {
    const body = { filters: search === '' ? {} : { search }, limit: FEW, cursor: '' };
    return (await projects.searchRepos({ path: { deploymentId: id }, body }, { signal })).repos.map(({ name }) => name);
  },
  tags: async ({ id }, _, signal) =>
    (await tags.listDeploymentTags({ path: { deploymentId: id } }, { signal })).repository_tags,
  teams: async ({ id }, _, signal) => {
    const body = { limit: '100', cursor: '' };
    return (await teams.listDeploymentTeams({ path: { deploymentId: id }, body }, { signal })).teams.map(
      ({ name }) => name,
    );
  },
  rules: async () => [],
  categories: async () => [],
};

function OpenField({ name, texts, onChange }: FieldsProps & { name: NameFilterName }) {
  const org = useOrg();
  const { label } = NAME_FILTERS[name];
  const [typed, setTyped] = useState('');
  const [isUsed, setIsUsed] = useState(false);
  const wanted = useDeferredValue(typed.trim());
  const { data = [] } = useQuery({
    queryKey: [org.id, 'suggestions', name, wanted],
    enabled: isUsed,
    queryFn: ({ signal }) => SUGGESTIONS[name](org, wanted, signal),
  });
  const chosen = splitList(texts[name]);
  return (
    <TagsInput
      size="xs"
      label={label}
      placeholder={chosen.length === 0 ? 'All' : ''}
      data={[...new Set(data)]}
      value={chosen}
      searchValue={typed}
      onSearchChange={setTyped}
      onFocus={() => setIsUsed(true)}
      splitChars={[]}
      onChange={(names) => onChange(name, names.length === 0 ? undefined : joinList(names))}
      clearable
      clearButtonProps={{ 'aria-label': `Clear ${label}` }}
    />
  );
}
