import { Button, Menu } from '@mantine/core';
import { Check, Columns3, Rows3 } from 'lucide-react';
import { COLUMN_NAMES, COLUMNS, columnsParam } from '../grid/columns.ts';
import { type FindingSort, GROUPINGS, type Grouping } from '../model/search.ts';
import type { FindingsListView } from './use-list-view.ts';

const GROUP_NAMES: Record<Grouping, string> = {
  rule: 'Rule',
  project: 'Project',
  path: 'File',
  cwe: 'Weakness',
  dependency: 'Dependency',
};

const SORT_NAMES: Record<FindingSort, string> = {
  newest: 'Newest first',
  oldest: 'Oldest first',
  severity: 'Worst first',
  mildest: 'Mildest first',
};

const TICK = <Check size={14} aria-hidden="true" />;

/** How the list is grouped and ordered. */
export function GroupAndSortMenu({ place, canGroup = true }: { place: FindingsListView; canGroup?: boolean }) {
  const { search, sort, change } = place;
  const { group } = search;
  const groups: (Grouping | undefined)[] = [undefined, ...GROUPINGS];
  return (
    <Menu position="bottom-end" closeOnItemClick={false}>
      <Menu.Target>
        <Button variant="default" leftSection={<Rows3 size={16} />}>
          {group === undefined || !canGroup ? SORT_NAMES[sort] : `By ${GROUP_NAMES[group].toLowerCase()}`}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {canGroup && <Menu.Label>Group by</Menu.Label>}
        {canGroup &&
          groups.map((name) => (
            <Menu.RadioItem
              key={name ?? 'none'}
              value={name ?? 'none'}
              checked={group === name}
              checkIcon={TICK}
              onChange={() => change({ group: name, in: undefined })}
            >
              {name === undefined ? 'Nothing' : GROUP_NAMES[name]}
            </Menu.RadioItem>
          ))}
        <Menu.Label>Order</Menu.Label>
        {(Object.keys(SORT_NAMES) as FindingSort[]).map((name) => (
          <Menu.RadioItem
            key={name}
            value={name}
            checked={sort === name}
            checkIcon={TICK}
            onChange={() => change({ sort: name === 'newest' ? undefined : name })}
          >
            {SORT_NAMES[name]}
          </Menu.RadioItem>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

/** Which columns are shown. */
export function ColumnMenu({ columns, change }: Pick<FindingsListView, 'columns' | 'change'>) {
  return (
    <Menu position="bottom-end" closeOnItemClick={false}>
      <Menu.Target>
        <Button className="findings-columns" variant="default" leftSection={<Columns3 size={16} />}>
          Columns
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {COLUMN_NAMES.map((name) => {
          const isShown = columns.includes(name);
          const next = isShown ? columns.filter((one) => one !== name) : [...columns, name];
          return (
            <Menu.CheckboxItem
              key={name}
              checked={isShown}
              checkIcon={TICK}
              onChange={() => change({ cols: columnsParam(next) }, true)}
            >
              {COLUMNS[name].label}
            </Menu.CheckboxItem>
          );
        })}
      </Menu.Dropdown>
    </Menu>
  );
}
