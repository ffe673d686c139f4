import {
  countsText,
  type FindingSummary,
  headlineOf,
  oneLineOf,
  type SummarizedFinding,
  severityName,
} from '#domain/automations/people/finding-summary.ts';

const MAX_TITLE = 150;
const MAX_PLACE = 200;
const MAX_NAMES = 10;

/** What Slack shows: a list of blocks, and a text for notifications. */
export interface SlackText {
  text: string;
  blocks: readonly SlackBlock[];
}

interface Mrkdwn {
  type: 'mrkdwn';
  text: string;
}
export type SlackBlock = { type: 'section'; text: Mrkdwn } | { type: 'context'; elements: readonly Mrkdwn[] };

/** Slack reads only these three characters as markup of its own; the others are formatting, which is harmless. */
export const escapeSlack = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** Report text must not begin a code span or a bold part that swallows the rest of the line. */
const plainText = (text: string, most: number) => escapeSlack(oneLineOf(text, most)).replaceAll(/[*_~`]/g, '\u200b$&');

const link = (url: string, label: string) => `<${url}|${label.replaceAll('|', '¦')}>`;
const section = (text: string): SlackBlock => ({ type: 'section', text: { type: 'mrkdwn', text } });
const context = (text: string): SlackBlock => ({ type: 'context', elements: [{ type: 'mrkdwn', text }] });

export interface SlackTextContext {
  baseUrl: string;
  automations: readonly { id: string; name: string }[];
  kind: string;
}

function lineOf(finding: SummarizedFinding, { isOneProject, address }: { isOneProject: boolean; address: string }) {
  const title = link(`${address}/findings/${finding.id}`, plainText(finding.title, MAX_TITLE));
  const where = isOneProject ? finding.place : `${finding.project} ${finding.place}`;
  const line = `${severityName(finding.severity)}: ${title} in ${plainText(where, MAX_PLACE)}`;
  if (finding.is_closed) return `• ~${line}~`;
  return `• ${line}${finding.has_returned ? ' (came back)' : ''}`;
}

function footerOf({ automations }: SlackTextContext, address: string): string {
  const shown = automations.slice(0, MAX_NAMES).map(({ name }) => plainText(name, 80));
  const more = automations.length > MAX_NAMES ? ` and ${automations.length - MAX_NAMES} more` : '';
  const [first] = automations;
  const why = first === undefined ? '' : ` · ${link(`${address}/automations/${first.id}`, 'Why?')}`;
  return `${shown.join(', ')}${more}${why}`;
}

/**
 * The message about findings: project and counts, where they come from, at most five of them, a link to the others, and
 * the automations that sent it. It stays far below the limits of Slack: 50 blocks, 3,000 characters in a section.
 */
export function findingsText(summary: FindingSummary, settings: SlackTextContext): SlackText {
  const address = `${settings.baseUrl}/o/${summary.slug}`;
  const headline = `${settings.kind === 'digest' ? 'Digest: ' : ''}${headlineOf(summary)}`;
  const { scan, worst, total } = summary;
  const origin = [scan?.ref, scan?.commit?.slice(0, 12), scan?.author].filter((part) => part !== undefined);
  const isOneProject = summary.projects.length === 1;
  const more = total - worst.length;
  const footer = footerOf(settings, address);
  return {
    text: `${escapeSlack(headline)} (${countsText(summary.counts)})`,
    blocks: [
      section(`*${plainText(headline, MAX_TITLE)}* (${countsText(summary.counts)})`),
      ...(origin.length === 0 ? [] : [context(origin.map((part) => plainText(part, 100)).join(' · '))]),
      section(worst.map((finding) => lineOf(finding, { isOneProject, address })).join('\n')),
      ...(more > 0 ? [section(link(`${address}/findings`, `${more} more`))] : []),
      ...(footer === '' ? [] : [context(footer)]),
    ],
  };
}

/** The message of the test button. */
export const testText = (): SlackText => {
  const text = 'This is a test of Parapet. Nothing was found.';
  return { text, blocks: [section(text)] };
};
