/** A mail as a small tree, from which both the text and the HTML are made. */
export interface MailContent {
  subject: string;
  intro: string;
  sections: readonly MailSection[];
  /** Why the reader gets it. */
  reason: string;
}

export interface MailSection {
  heading: string;
  lines: readonly MailLine[];
  /** How many more there are, and where. */
  more?: { text: string; url: string } | undefined;
}

export interface MailLine {
  text: string;
  detail?: string | undefined;
  url?: string | undefined;
}

export interface MailFooter {
  settingsUrl: string;
  /** Missing for addresses that belong to no member. */
  unsubscribeUrl?: string | undefined;
}

const MAX_SUBJECT = 150;

/** One line, as headers require. */
export const subjectOf = (text: string): string =>
  [
    ...text
      .replaceAll(/[\p{Cc}\p{Cf}\s]+/gu, ' ')
      .trim()
      .toWellFormed(),
  ]
    .slice(0, MAX_SUBJECT)
    .join('');

const lineText = ({ text, detail, url }: MailLine): string[] => [
  `- ${text}${detail === undefined ? '' : ` (${detail})`}`,
  ...(url === undefined ? [] : [`  ${url}`]),
];

/** The text of a mail, which is complete without the HTML. */
export function textOf({ intro, sections, reason }: MailContent, footer: MailFooter): string {
  return [
    intro,
    ...sections.flatMap(({ heading, lines, more }) => [
      '',
      heading,
      ...lines.flatMap(lineText),
      ...(more === undefined ? [] : [`${more.text}: ${more.url}`]),
    ]),
    '',
    '-- ',
    reason,
    `Settings: ${footer.settingsUrl}`,
    ...(footer.unsubscribeUrl === undefined ? [] : [`Unsubscribe: ${footer.unsubscribeUrl}`]),
    '',
  ].join('\n');
}

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escaped = (text: string) => text.replaceAll(/[&<>"]/g, (character) => ESCAPES[character] ?? '');
const anchor = (url: string, text: string) => `<a href="${escaped(url)}">${escaped(text)}</a>`;

const lineHtml = ({ text, detail, url }: MailLine) =>
  `<tr><td style="padding:2px 0">${url === undefined ? escaped(text) : anchor(url, text)}` +
  `${detail === undefined ? '' : ` <span style="color:#666">${escaped(detail)}</span>`}</td></tr>`;

const row = (html: string, style = 'padding:8px 0') => `<tr><td style="${style}">${html}</td></tr>`;

/** The same as HTML: one table, inline styles, no images and nothing that tells whether it was read. */
export function htmlOf({ intro, sections, reason }: MailContent, footer: MailFooter): string {
  const rows = sections.flatMap(({ heading, lines, more }) => [
    row(`<b>${escaped(heading)}</b>`),
    ...lines.map(lineHtml),
    ...(more === undefined ? [] : [row(anchor(more.url, more.text))]),
  ]);
  const links = [
    anchor(footer.settingsUrl, 'Settings'),
    ...(footer.unsubscribeUrl === undefined ? [] : [anchor(footer.unsubscribeUrl, 'Unsubscribe')]),
  ];
  return (
    '<!doctype html><html lang="en"><body style="font-family:sans-serif;font-size:14px;color:#111">' +
    `<table role="presentation" style="max-width:640px">${row(escaped(intro))}${rows.join('')}` +
    `${row(`${escaped(reason)} ${links.join(' · ')}`, 'padding:16px 0;color:#666')}</table></body></html>`
  );
}
