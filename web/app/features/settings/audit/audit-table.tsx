import { ActionIcon } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { Check, ChevronDown, ChevronRight, CircleX } from 'lucide-react';
import { Fragment, type ReactNode, useState } from 'react';
import { useOrg } from '#web/foundation/session/org.ts';
import { CopyText } from '#web/ui/clipboard/copy-text.tsx';
import { RelativeTime } from '#web/ui/text/relative-time.tsx';
import '#web/ui/table/data-table.css';
import { type AuditFilter, isSuccessOutcome, operationLabel } from './audit-filter.ts';
import type { AuditRecord } from './queries.ts';

/** Audit records, newest first, with expandable details. */
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
            {['Time', 'Actor', 'Operation', 'Outcome', 'Object', 'Address'].map((name) => (
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
              <RecordRow record={record} isOpen={open.has(record.id)} onToggle={() => toggle(record.id)} />
              {open.has(record.id) && <Detail record={record} />}
            </Fragment>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function RecordRow({ record, isOpen, onToggle }: { record: AuditRecord; isOpen: boolean; onToggle: () => void }) {
  const { at, actor, operation, outcome, object, address } = record;
  const who = actor.kind === 'token' ? `token:${actor.id.replace(/^token:/, '')}` : actor.id;
  return (
    <tr>
      <td data-label="Time">
        <RelativeTime at={at} />
      </td>
      <td data-label="Actor">
        {actor.kind === 'nobody' ? (
          'nobody'
        ) : (
          <FilterLink filter={{ actor: who }}>
            {actor.kind === 'token' && 'token '}
            {actor.name || who}
          </FilterLink>
        )}
      </td>
      <td data-label="Operation">
        <FilterLink filter={{ operation }}>{operationLabel(operation)}</FilterLink>
      </td>
      <td data-label="Outcome">
        <span className="settings-status" data-kind={isSuccessOutcome(outcome) ? 'good' : 'bad'}>
          {isSuccessOutcome(outcome) ? (
            <Check size={16} aria-hidden="true" />
          ) : (
            <CircleX size={16} aria-hidden="true" />
          )}
          {isSuccessOutcome(outcome) ? 'success' : outcome}
        </span>
      </td>
      <td data-label="Object">
        {object.kind === '' ? (
          object.id
        ) : (
          <FilterLink filter={{ objectKind: object.kind, objectId: object.id }}>
            {object.kind} {object.id}
          </FilterLink>
        )}
      </td>
      <td data-label="Address">
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

/** Links a value to all records with that value. */
function FilterLink({ filter, children }: { filter: AuditFilter; children: ReactNode }) {
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
    ['Timestamp', at],
    ['Request', <CopyText key="request" text={requestId} label="request id" />],
    ['Before', <Digest key="before" digest={before} kind="removed" none="none, or not recorded" />],
    ['After', <Digest key="after" digest={after} kind="added" none="none, or not recorded" />],
    ['Record', id],
    ['Chain position', sequence === undefined ? 'pending, takes a few seconds' : `${sequence}`],
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
          Before and after are keyed hashes: they can prove a known state but reveal nothing about it.
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
