<<<<<<< HEAD
import { ActionIcon, Tooltip } from '@mantine/core';
=======
import { useQuery } from '@tanstack/react-query';
>>>>>>> ui/fixb
import { Check, RefreshCw, Trash2, TriangleAlert } from 'lucide-react';
import { TOKEN_ROLE_LABELS } from '#web/labels.ts';
<<<<<<< HEAD
import { Allowed } from '#web/parts/allowed.tsx';
=======
import { useOrg } from '#web/org/org.ts';
>>>>>>> ui/fixb
import { When } from '#web/parts/when.tsx';
import { type Column, DataTable } from '../parts/data-table.tsx';
import { RowDeed } from '../parts/row-deed.tsx';
import { expiryKind } from './rights.ts';
import type { ApiToken } from './token-data.ts';

interface TokenTableProps {
  tokens: readonly ApiToken[];
  onRotate: (token: ApiToken) => void;
  onDelete: (token: ApiToken) => void;
}

const COLUMNS: readonly Column<ApiToken>[] = [
  {
    name: 'Name',
    cell: ({ name, suffix }) => (
      <span>
        <span className="token-name">{name}</span> <code className="dimmed">pap_…{suffix}</code>
      </span>
    ),
  },
  { name: 'Role', cell: ({ role }) => TOKEN_ROLE_LABELS[role] ?? role },
  { name: 'Scopes', cell: ({ scopes }) => (scopes.length === 0 ? 'not limited' : scopes.join(' ')) },
  {
    name: 'Web API',
    cell: ({ webApi }) =>
      webApi ? (
        <span className="settings-word" data-kind="good">
          <Check size={16} aria-hidden="true" /> yes
        </span>
      ) : (
        'no'
      ),
  },
  {
    name: 'Created',
    cell: ({ createdAt, createdBy }) => (
      <span>
        <When at={createdAt} /> {createdBy !== '' && <span className="dimmed">by {createdBy}</span>}
      </span>
    ),
  },
  { name: 'Last used', cell: ({ lastUsedAt }) => <When at={lastUsedAt} /> },
  { name: 'Expires', cell: (token) => <Expiry token={token} /> },
];

/** The tokens of the organization, the newest first. */
export function TokenTable({ tokens, onRotate, onDelete }: TokenTableProps) {
  const actions: Column<ApiToken> = {
    name: 'Actions',
    isActions: true,
    cell: (token) => (
      <>
        <RowDeed
          permission="token:manage"
          label={`Replace ${token.name}`}
          icon={<RefreshCw size={16} />}
          onClick={() => onRotate(token)}
        />
        <RowDeed
          permission="token:manage"
          label={`Delete ${token.name}`}
          icon={<Trash2 size={16} />}
          onClick={() => onDelete(token)}
        />
      </>
    ),
  };
  return <DataTable label="Tokens" columns={[...COLUMNS, actions]} rows={tokens} keyOf={({ id }) => id} />;
}

<<<<<<< HEAD
function Deed({ label, icon, onClick }: { label: string; icon: ReactElement; onClick: () => void }) {
  return (
    <Allowed permission="token:manage">
      {(isDisabled) => (
        <Tooltip label={label}>
          <ActionIcon variant="subtle" color="gray" aria-label={label} disabled={isDisabled} onClick={onClick}>
            {icon}
          </ActionIcon>
        </Tooltip>
      )}
    </Allowed>
=======
function Created({ token: { id, createdAt } }: { token: ApiToken }) {
  const org = useOrg();
  const { data: makers } = useQuery({ ...makersQuery(org.id), enabled: org.may('audit:read') });
  const maker = makers?.get(id);
  return (
    <span>
      <When at={createdAt} /> {maker !== undefined && <span className="dimmed">by {maker}</span>}
    </span>
>>>>>>> ui/fixb
  );
}

function Expiry({ token: { expiresAt } }: { token: ApiToken }) {
  const kind = expiryKind(expiresAt, new Date());
  if (kind === 'later') return <When at={expiresAt} />;
  return (
    <span className="settings-word" data-kind={kind === 'over' ? 'bad' : 'warn'}>
      <TriangleAlert size={16} aria-hidden="true" />
      <span>
        {kind === 'over' ? 'ended ' : ''}
        <When at={expiresAt} />
      </span>
    </span>
  );
}
