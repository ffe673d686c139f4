import { ActionIcon, Tooltip } from '@mantine/core';
import { getRouteApi, Link } from '@tanstack/react-router';
import { ArrowLeft, ChevronLeft, ChevronRight } from 'lucide-react';
import { Keycaps } from '#web/foundation/keys/keycaps.tsx';
import { useShortcuts } from '#web/foundation/keys/use-shortcuts.ts';
import { useOrg } from '#web/foundation/session/org.ts';
import './finding-page.css';
import { useGoToFinding, useNeighbours } from './use-neighbours.ts';

const route = getRouteApi('/o/$slug/findings/$issueId');

/** Links back to the list, and to the previous and next finding in it. */
export function ListNavigation({ issueId }: { issueId: string }) {
  const { slug } = useOrg();
  const { q, sort } = route.useSearch();
  const neighbours = useNeighbours(issueId, { q, sort });
  const go = useGoToFinding();
  const next = () => go(neighbours?.after);
  const previous = () => go(neighbours?.before);
  const navigate = route.useNavigate();
  const list = { ...(q !== undefined && { q }), ...(sort !== undefined && { sort }) };
  useShortcuts({
    next,
    previous,
    back: () => void navigate({ to: '/o/$slug/findings', params: { slug }, search: list }),
  });
  return (
    <nav className="finding-list-navigation" aria-label="List">
      <Link to="/o/$slug/findings" params={{ slug }} search={list} className="finding-back">
        <ArrowLeft size={16} aria-hidden="true" /> Findings
      </Link>
      {q !== undefined && (
        <>
          <Arrow label="Previous" name="previous" isEnabled={neighbours?.before !== undefined} onClick={previous} />
          <Arrow label="Next" name="next" isEnabled={neighbours?.after !== undefined} onClick={next} />
        </>
      )}
    </nav>
  );
}

interface ArrowProps {
  label: string;
  name: 'next' | 'previous';
  isEnabled: boolean;
  onClick: () => void;
}

function Arrow({ label, name, isEnabled, onClick }: ArrowProps) {
  return (
    <Tooltip label={<Keycaps name={name} />}>
      <ActionIcon variant="default" size="lg" aria-label={label} disabled={!isEnabled} onClick={onClick}>
        {name === 'next' ? <ChevronRight size={16} /> : <ChevronLeft size={16} />}
      </ActionIcon>
    </Tooltip>
  );
}
