import { Button, Drawer } from '@mantine/core';
import { ChevronDown, ChevronRight, ListFilter } from 'lucide-react';
import { useId, useState } from 'react';
import { FILTER_KEYS, type FilterKey } from '#domain/query/vocabulary/keys.ts';
import { formatNumber } from '#web/foundation/format/format-number.ts';
import { type FilterView, hasValue, toggleValue } from '#web/ui/filter/filter-view.ts';
import { ProblemView } from '#web/ui/page/view-states.tsx';
import './facets.css';
import { useFacets } from '../model/list-queries.ts';
import type { FindingsListView } from './use-list-view.ts';

const FACET_NAMES: Partial<Record<FilterKey, string>> = {
  severity: 'Severity',
  type: 'Type',
  project: 'Project',
  rule: 'Rule',
  tag: 'Tag',
  cwe: 'Weakness',
  confidence: 'Confidence',
  assignee: 'Assignee',
};
const MAX_COLLAPSED = 7;

interface FacetValue {
  value: string;
  label: string;
  count: string;
  /** From the current filter, which may be newer than the loaded counts. */
  isApplied: boolean;
}

interface FacetProps {
  name: FilterKey;
  values: readonly FacetValue[];
  onToggle: (key: FilterKey, value: string) => void;
}

function Facet({ name, values, onToggle }: FacetProps) {
  const [isOpen, setIsOpen] = useState(true);
  const [isExpanded, setIsExpanded] = useState(false);
  const id = useId();
  const shown = values.filter(({ isApplied }, index) => isExpanded || index < MAX_COLLAPSED || isApplied);
  const Arrow = isOpen ? ChevronDown : ChevronRight;
  return (
    <section className="findings-facet">
      <h3>
        <button type="button" aria-expanded={isOpen} aria-controls={id} onClick={() => setIsOpen(!isOpen)}>
          <Arrow size={14} aria-hidden="true" /> {FACET_NAMES[name]}
        </button>
      </h3>
      <ul id={id} hidden={!isOpen}>
        {shown.map(({ value, label, count, isApplied }) => (
          <li key={value}>
            <label className="findings-facet-value">
              <input type="checkbox" checked={isApplied} onChange={() => onToggle(name, value)} />
              <span title={label}>{label}</span>
              <span className="findings-facet-count">{formatNumber(Number(count))}</span>
            </label>
          </li>
        ))}
        {values.length > MAX_COLLAPSED && (
          <li>
            <button type="button" className="findings-facet-more" onClick={() => setIsExpanded(!isExpanded)}>
              {isExpanded ? 'Fewer' : `${values.length - MAX_COLLAPSED} more`}
            </button>
          </li>
        )}
      </ul>
    </section>
  );
}

/** Values with a natural order are sorted by it; others stay sorted by count. */
function sortValues<Value extends { value: string }>(key: FilterKey, found: readonly Value[]): Value[] {
  const { isOrdered, values } = FILTER_KEYS[key];
  if (!isOrdered) return [...found];
  const rankOf = ({ value }: Value) => values.findIndex(({ name }) => name === value);
  return found.toSorted((a, b) => rankOf(a) - rankOf(b));
}

const ASSIGNEE_LABELS: Record<string, string> = { me: 'Me', none: 'Nobody' };

const facetLabel = (key: FilterKey, { value, label }: { value: string; label: string }) =>
  key === 'assignee' ? (ASSIGNEE_LABELS[value] ?? label) : label;

interface FacetsProps {
  view: FilterView;
  filter: FindingsListView['filter'];
}

/** The facets of the filter; a click on a value edits the filter. */
export function Facets({ view, filter }: FacetsProps) {
  const { data, error, refetch } = useFacets(view.q);
  if (error) return <ProblemView error={error} onRetry={() => void refetch()} />;
  return (
    <>
      {data?.facets
        .filter(({ key, values }) => FACET_NAMES[key] !== undefined && values.length > 0)
        .map(({ key, values }) => (
          <Facet
            key={key}
            name={key}
            values={sortValues(key, values).map((facet) => ({
              ...facet,
              label: facetLabel(key, facet),
              isApplied: hasValue(view.query, key, facet.value),
            }))}
            onToggle={(name, value) => filter(toggleValue(view.query, name, value))}
          />
        ))}
    </>
  );
}

/** The facets in a drawer, for narrow screens. */
export function FacetSheet(props: FacetsProps) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Button
        className="findings-facet-button"
        variant="default"
        leftSection={<ListFilter size={16} />}
        onClick={() => setIsOpen(true)}
      >
        Refine
      </Button>
      <Drawer opened={isOpen} onClose={() => setIsOpen(false)} title="Refine results" position="bottom" size="80%">
        {isOpen && <Facets {...props} />}
        <Button fullWidth onClick={() => setIsOpen(false)}>
          Show the list
        </Button>
      </Drawer>
    </>
  );
}
