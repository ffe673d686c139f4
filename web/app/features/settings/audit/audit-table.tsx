import { ActionIcon } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { Check, ChevronDown, ChevronRight, CircleX } from 'lucide-react';
import { Fragment, type ReactNode, useState } from 'react';
import { useOrg } from '#web/foundation/session/org.ts';
import { CopyText } from '#web/ui/clipboard/copy-text.tsx';
import { RelativeTime } from '#web/ui/text/relative-time.tsx';
import '../parts/data-table.css';
import { type AuditFilter, isSuccessOutcome, operationLabel } from './audit-filter.ts';
import type { AuditRecord } from './queries.ts';

/** Records, the newest first; each opens to all that is known of it. */
export function AuditTable({ records }: { records: readonly AuditRecord[] }) {
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  const toggle = (id: string) => {
    const next = new Set(open);
    if (!next.delete(id)) next.add(id);
    setOpen(next);
  };
  return (
    <div className="data-table-frame">
      <table className="data-table">
        <caption className="visually-hidden">Audit records</caption>
        <thead>
          <tr>
            {['When', 'Who', 'What', 'Outcome', 'Thing', 'From'].map((name) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
            <th scope="col">
              <span className="visually-hidden">Details</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {records.map((record) => (
            <Fragment key={record.id}>
              <Row record={record} isOpen={open.has(record.id)} onToggle={() => toggle(record.id)} />
              {open.has(record.id) && <Detail record={record} />}
            </Fragment>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Row({ record, isOpen, onToggle }: { record: AuditRecord; isOpen: boolean; onToggle: () => void }) {
  const { at, actor, operation, outcome, object, address } = record;
  const who = actor.kind === 'token' ? `token:${actor.id.replace(/^token:/, '')}` : actor.id;
  return (
    <tr>
      <td data-label="When">
        <RelativeTime at={at} />
      </td>
      <td data-label="Who">
        {actor.kind === 'nobody' ? (
          'nobody'
        ) : (
          <Narrow filter={{ actor: who }}>
            {actor.kind === 'token' && 'token '}
            {actor.name || who}
          </Narrow>
        )}
      </td>
      <td data-label="What">
        <Narrow filter={{ operation }}>{operationLabel(operation)}</Narrow>
      </td>
      <td data-label="Outcome">
        <span className="settings-word" data-kind={isSuccessOutcome(outcome) ? 'good' : 'bad'}>
          {isSuccessOutcome(outcome) ? (
            <Check size={16} aria-hidden="true" />
          ) : (
            <CircleX size={16} aria-hidden="true" />
          )}
          {isSuccessOutcome(outcome) ? 'done' : outcome}
        </span>
      </td>
      <td data-label="Thing">
        {object.kind === '' ? (
          object.id
        ) : (
          <Narrow filter={{ objectKind: object.kind, objectId: object.id }}>
            {object.kind} {object.id}
          </Narrow>
        )}
      </td>
      <td data-label="From">
        <code>{address}</code>
      </td>
      <td className="data-actions">
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-expanded={isOpen}
          aria-label={`Details of ${operationLabel(operation)}`}
          onClick={onToggle}
        >
          {isOpen ? <ChevronDown size={16} /> : <ChevronRight size={16} />}
        </ActionIcon>
      </td>
    </tr>
  );
}

/** A value that leads to all records with it. */
function Narrow({ filter, children }: { filter: AuditFilter; children: ReactNode }) {
  const { slug } = useOrg();
  const search = Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== ''));
  return (
    <Link
      to="/o/$slug/settings/{-$section}/{-$item}"
      params={{ slug, section: 'audit', item: undefined }}
      search={search}
    >
      {children}
    </Link>
  );
}

function Detail({ record }: { record: AuditRecord }) {
  const { id, at, operation, requestId, before, after, sequence, hash } = record;
  const facts: [string, ReactNode][] = [
    ['Operation', <code key="operation">{operation}</code>],
    ['Time', at],
    ['Request', <CopyText key="request" text={requestId} label="request id" />],
    [
      'Before',
      <Digest key="before" digest={before} kind="removed" none="nothing was there, or nothing is kept of it" />,
    ],
    ['After', <Digest key="after" digest={after} kind="added" none="nothing is there, or nothing is kept of it" />],
    ['Record', id],
    ['In the chain', sequence === undefined ? 'within seconds' : `place ${sequence}`],
    ['Hash', hash === undefined ? '' : <CopyText key="hash" text={hash} label="hash" />],
  ];
  return (
    <tr className="audit-detail">
      <td colSpan={7}>
        <dl>
          {facts.map(([name, value]) => (
            <Fragment key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </Fragment>
          ))}
        </dl>
        <p className="dimmed">
          Before and after are keyed hashes: they prove what was there to somebody who has it, and show nothing of it.
        </p>
      </td>
    </tr>
  );
}

function Digest({ digest, kind, none }: { digest: string | undefined; kind: 'added' | 'removed'; none: string }) {
  if (digest === undefined) return <span className="dimmed">{none}</span>;
  return (
    <code className="audit-hash" data-kind={kind}>
      {digest}
    </code>
  );
}
