import { linkFindings } from './link-tickets.ts';
import type { Write } from './open-ticket.ts';
import { findSettings, listInstances } from './ticketing-instances.ts';
import { NO_TICKETING, TICKET_UNKNOWN, TICKET_URL_REFUSED, TRACKER_UNAVAILABLE } from './ticketing-shape.ts';
import { type TrackerServices, trackerOf } from './trackers/all-trackers.ts';
import type { Tracker } from './trackers/tracker.ts';
import { TrackerFailure } from './trackers/tracker-failure.ts';

export interface UrlLinkOrder {
  deployment: string;
  /** The instance that the URL must belong to; without it any. */
  instance?: string;
  ticketUrl: string;
  findings: readonly string[];
  by: string;
  now: Date;
}

function parseUrl(text: string): URL | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  return url && /^https?:$/.test(url.protocol) && url.username === '' ? url : undefined;
}

interface LocatedTicket {
  instance: string;
  trackerProject: string;
  tracker: Tracker;
  name: string;
}

/** The tracker that a URL belongs to, and the name of the ticket there. Nothing is fetched from the URL itself. */
async function locate(
  write: Write,
  services: TrackerServices,
  { deployment, instance, ticketUrl }: UrlLinkOrder,
): Promise<LocatedTicket> {
  const url = parseUrl(ticketUrl);
  const all = await write((tx) => listInstances(tx, deployment));
  if (all.length === 0) throw NO_TICKETING();
  const named = all.filter(({ id }) => instance === undefined || id === instance);
  for (const { id } of named) {
    const settings = await write((tx) => findSettings(tx, services.keys, { deployment, id }));
    const tracker = settings && trackerOf(services, settings);
    const name = url && tracker?.locate(url);
    if (tracker && name !== undefined) return { instance: id, trackerProject: settings.trackerProject, tracker, name };
  }
  const [only] = named;
  throw TICKET_URL_REFUSED({ tracker: named.length === 1 && only ? only.name : 'a connected tracker' });
}

async function fetchTicket({ tracker, name }: LocatedTicket) {
  try {
    const remote = await tracker.fetch(name);
    if (!remote) throw TICKET_UNKNOWN({ ticket: name });
    return remote;
  } catch (error) {
    if (error instanceof TrackerFailure) throw TRACKER_UNAVAILABLE({ detail: error.message });
    throw error;
  }
}

/** Links findings with the ticket of a URL. */
export async function linkByUrl(
  { read, write }: { read: Write; write: Write },
  services: TrackerServices,
  order: UrlLinkOrder,
) {
  const { deployment, findings, by, now } = order;
  const located = await locate(read, services, order);
  const remote = await fetchTicket(located);
  const { instance, trackerProject } = located;
  const made = await write((tx) =>
    linkFindings(tx, { deployment, instance, trackerProject, remote, findings, by, at: now }),
  );
  return { ...made, url: remote.url, slug: remote.slug };
}
