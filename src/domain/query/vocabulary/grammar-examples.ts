/** What can be written, by example: for the reference page and for help beside the filter bar. */
export const GRAMMAR_EXAMPLES: [examples: string[], meaning: string][] = [
  [['is:open severity:high'], 'A space is *and*: both have to hold.'],
  [['severity:critical,high'], 'A comma is *or*: one of them has to hold.'],
  [['-tag:legacy'], 'A minus is *not*; with commas, none of them may hold.'],
  [['age:>30d', 'epss:>=0.5', 'severity:<high'], 'Compares durations, dates, numbers, and words that have an order.'],
  [['age:30d..90d', 'severity:medium..'], 'A range; both ends belong to it, and one of them may be left out.'],
  [['age:<12h', 'age:>30d,<2w', 'age:3m..1y'], 'Hours, days, weeks, months of 30 days and years of 365.'],
  [['triaged:2026-08-01', 'triaged:>=2026-08-01'], 'On a day, or since it. Days are those of UTC.'],
  [['seen:>-30d', 'seen:<30d', 'seen:-30d'], 'After the moment 30 days ago; less than 30 days ago: the same.'],
  [['backlog:2026-08-31'], 'At the end of a day, in UTC; while it lasts, now.'],
  [
    ['raised:2026-08-01..2026-08-31 guardrail:fixed'],
    'What a filter says of `raised`, `raised-as` and `guardrail` holds of one and the same pull request.',
  ],
  [['project:acme/*'], 'A star is any characters, slashes too.'],
  [['path:a\\*b'], 'A backslash makes it a star and nothing else.'],
  [['"jwt"', 'sql', '"select * from"'], 'Text to search for. A star in it is a star.'],
  [['path:"my dir/*"', '"say \\"hi\\""'], 'Quotes hold spaces, commas and colons together; `\\"` is a quote in them.'],
];
