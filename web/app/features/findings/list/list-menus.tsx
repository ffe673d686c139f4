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
  severity: 'Most severe first',
  mildest: 'Least severe first',
};

const CHECK_ICON = <Check size={14} aria-hidden="true" />;

/** Chooses the grouping and the order of the list. */
export function GroupAndSortMenu({ listView }: { listView: FindingsListView }) {
  const { search, sort, change } = listView;
  const { group } = search;
  const groups: (Grouping | undefined)[] = [undefined, ...GROUPINGS];
  return (
    <Menu position="bottom-end" closeOnItemClick={false}>
      <Menu.Target>
        <Button variant="default" leftSection={<Rows3 size={16} />}>
          {group === undefined ? SORT_NAMES[sort] : `By ${GROUP_NAMES[group].toLowerCase()}`}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>Group by</Menu.Label>
        {groups.map((name) => (
          <Menu.RadioItem
            key={name ?? 'none'}
            value={name ?? 'none'}
            checked={group === name}
            checkIcon={CHECK_ICON}
            onChange={() => change({ group: name, in: undefined })}
          >
            {name === undefined ? 'None' : GROUP_NAMES[name]}
          </Menu.RadioItem>
        ))}
        <Menu.Label>Sort by</Menu.Label>
        {(Object.keys(SORT_NAMES) as FindingSort[]).map((name) => (
          <Menu.RadioItem
            key={name}
            value={name}
            checked={sort === name}
            checkIcon={CHECK_ICON}
            onChange={() => change({ sort: name === 'newest' ? undefined : name })}
          >
            {SORT_NAMES[name]}
          </Menu.RadioItem>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

/** Chooses the columns of the list. */
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
          const next = isShown ? columns.filter((column) => column !== name) : [...columns, name];
          return (
            <Menu.CheckboxItem
              key={name}
              checked={isShown}
              checkIcon={CHECK_ICON}
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
