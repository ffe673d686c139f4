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

const COMMON_FILTERS: readonly GuardrailsFilterName[] = ['types', 'severities', 'projects', 'tags', 'teams'];
const OTHER_FILTERS: readonly GuardrailsFilterName[] = [
  'rules',
  'categories',
  'confidence',
  'reachability',
  'validity',
  'verdicts',
  'deployed',
  'exposure',
];

const isChoiceFilter = (name: GuardrailsFilterName): name is ChoiceFilterName => Object.hasOwn(CHOICE_FILTERS, name);

/** The filters of the report: the common ones visible, the others collapsed. */
export function FilterFields({ texts, onChange }: FieldsProps) {
  const areOthersUsed = OTHER_FILTERS.some((name) => texts[name] !== undefined);
  const field = (name: GuardrailsFilterName) =>
    isChoiceFilter(name) ? (
      <ChoiceField key={name} name={name} texts={texts} onChange={onChange} />
    ) : (
      <NameField key={name} name={name} texts={texts} onChange={onChange} />
    );
  return (
    <div className="report-filters no-print">
      <div className="report-fields">{COMMON_FILTERS.map(field)}</div>
      <details open={areOthersUsed}>
        <summary>More filters</summary>
        <div className="report-fields">{OTHER_FILTERS.map(field)}</div>
      </details>
    </div>
  );
}

function ChoiceField({ name, texts, onChange }: FieldsProps & { name: ChoiceFilterName }) {
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

const MAX_SUGGESTIONS = '20';

/** Suggested names, loaded while typing. */
const SUGGESTIONS: Record<NameFilterName, (org: Org, text: string, signal: AbortSignal) => Promise<string[]>> = {
  projects: async ({ id }, search, signal) => {
    const body = { filters: search === '' ? {} : { search }, limit: MAX_SUGGESTIONS, cursor: '' };
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

function NameField({ name, texts, onChange }: FieldsProps & { name: NameFilterName }) {
  const org = useOrg();
  const { label } = NAME_FILTERS[name];
  const [typed, setTyped] = useState('');
  const [isUsed, setIsUsed] = useState(false);
  const searchText = useDeferredValue(typed.trim());
  const { data = [] } = useQuery({
    queryKey: [org.id, 'suggestions', name, searchText],
    enabled: isUsed,
    queryFn: ({ signal }) => SUGGESTIONS[name](org, searchText, signal),
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
