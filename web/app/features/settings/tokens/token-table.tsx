import { Check, RefreshCw, Trash2, TriangleAlert } from 'lucide-react';
import { TOKEN_ROLE_LABELS } from '#web/foundation/format/labels.ts';
import { DataTable, type TableColumn } from '#web/ui/table/data-table.tsx';
import { RowAction } from '#web/ui/table/row-action.tsx';
import { RelativeTime } from '#web/ui/text/relative-time.tsx';
import type { ApiToken } from './queries.ts';
import { expiryStatus } from './token-access.ts';

interface TokenTableProps {
  tokens: readonly ApiToken[];
  onRotate: (token: ApiToken) => void;
  onDelete: (token: ApiToken) => void;
}

const COLUMNS: readonly TableColumn<ApiToken>[] = [
  {
    name: 'Name',
    cell: ({ name, suffix }) => (
      <span>
        <span className="token-name">{name}</span> <code className="dimmed">pap_…{suffix}</code>
      </span>
    ),
  },
  { name: 'Role', cell: ({ role }) => TOKEN_ROLE_LABELS[role] ?? role },
  { name: 'Scopes', cell: ({ scopes }) => (scopes.length === 0 ? 'unlimited' : scopes.join(' ')) },
  {
    name: 'Web API',
    cell: ({ webApi }) =>
      webApi ? (
        <span className="settings-status" data-kind="good">
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
        <RelativeTime at={createdAt} /> {createdBy !== '' && <span className="dimmed">by {createdBy}</span>}
      </span>
    ),
  },
  { name: 'Last used', cell: ({ lastUsedAt }) => <RelativeTime at={lastUsedAt} /> },
  { name: 'Expires', cell: (token) => <Expiry token={token} /> },
];

/** The tokens of the organization, newest first. */
export function TokenTable({ tokens, onRotate, onDelete }: TokenTableProps) {
  const actions: TableColumn<ApiToken> = {
    name: 'Actions',
    isActions: true,
    cell: (token) => (
      <>
        <RowAction
          permission="token:manage"
          label={`Rotate ${token.name}`}
          icon={<RefreshCw size={16} />}
          onClick={() => onRotate(token)}
        />
        <RowAction
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

function Expiry({ token: { expiresAt } }: { token: ApiToken }) {
  const kind = expiryStatus(expiresAt, new Date());
  if (kind === 'later') return <RelativeTime at={expiresAt} />;
  return (
    <span className="settings-status" data-kind={kind === 'expired' ? 'bad' : 'warn'}>
      <TriangleAlert size={16} aria-hidden="true" />
      <span>
        {kind === 'expired' ? 'expired ' : ''}
        <RelativeTime at={expiresAt} />
      </span>
    </span>
  );
}
