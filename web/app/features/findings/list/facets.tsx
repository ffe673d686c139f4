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

const NAMES: Partial<Record<FilterKey, string>> = {
  severity: 'Severity',
  type: 'Type',
  project: 'Project',
  rule: 'Rule',
  tag: 'Tag',
  cwe: 'Weakness',
  confidence: 'Confidence',
};
const FEW = 7;

interface FacetValue {
  value: string;
  label: string;
  count: string;
  /** By the filter as it is now, which may be newer than the numbers. */
  isApplied: boolean;
}

interface FacetProps {
  name: FilterKey;
  values: readonly FacetValue[];
  onToggle: (key: FilterKey, value: string) => void;
}

function Facet({ name, values, onToggle }: FacetProps) {
  const [isOpen, setIsOpen] = useState(true);
  const [isWhole, setIsWhole] = useState(false);
  const id = useId();
  const shown = values.filter(({ isApplied }, index) => isWhole || index < FEW || isApplied);
  const Arrow = isOpen ? ChevronDown : ChevronRight;
  return (
    <section className="findings-facet">
      <h3>
        <button type="button" aria-expanded={isOpen} aria-controls={id} onClick={() => setIsOpen(!isOpen)}>
          <Arrow size={14} aria-hidden="true" /> {NAMES[name]}
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
        {values.length > FEW && (
          <li>
            <button type="button" className="findings-facet-more" onClick={() => setIsWhole(!isWhole)}>
              {isWhole ? 'Fewer' : `${values.length - FEW} more`}
            </button>
          </li>
        )}
      </ul>
    </section>
  );
}

/** Words that have an order stand in it; all others as they come, those with most findings first. */
function inOrder<Value extends { value: string }>(key: FilterKey, found: readonly Value[]): Value[] {
  const { isOrdered, values } = FILTER_KEYS[key];
  if (!isOrdered) return [...found];
  const rankOf = ({ value }: Value) => values.findIndex(({ name }) => name === value);
  return found.toSorted((one, other) => rankOf(one) - rankOf(other));
}

interface FacetsProps {
  view: FilterView;
  filter: FindingsListView['filter'];
}

/** What the filter can be narrowed to; a click edits the filter. */
export function Facets({ view, filter }: FacetsProps) {
  const { data, error, refetch } = useFacets(view.q);
  if (error) return <ProblemView error={error} onRetry={() => void refetch()} />;
  return (
    <>
      {data?.facets
        .filter(({ key, values }) => NAMES[key] !== undefined && values.length > 0)
        .map(({ key, values }) => (
          <Facet
            key={key}
            name={key}
            values={inOrder(key, values).map((one) => ({ ...one, isApplied: hasValue(view.query, key, one.value) }))}
            onToggle={(name, value) => filter(toggleValue(view.query, name, value))}
          />
        ))}
    </>
  );
}

/** The facets where there is no room beside the list. */
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
        Narrow
      </Button>
      <Drawer opened={isOpen} onClose={() => setIsOpen(false)} title="Narrow the list" position="bottom" size="80%">
        {isOpen && <Facets {...props} />}
        <Button fullWidth onClick={() => setIsOpen(false)}>
          Show the list
        </Button>
      </Drawer>
    </>
  );
}
