/** The filter grammar by example, for the reference page and the help beside the filter bar. */
export const GRAMMAR_EXAMPLES: [examples: string[], meaning: string][] = [
  [['is:open severity:high'], 'A space means *and*: both terms must match.'],
  [['severity:critical,high'], 'A comma means *or*: one of the values must match.'],
  [['-tag:legacy'], 'A minus means *not*; with commas, none of the values may match.'],
  [['age:>30d', 'epss:>=0.5', 'severity:<high'], 'Compares durations, dates, numbers, and ordered values.'],
  [['age:30d..90d', 'severity:medium..'], 'A range; both ends are included, and one of them may be omitted.'],
  [['age:<12h', 'age:>30d,<2w', 'age:3m..1y'], 'Hours, days, weeks, months of 30 days and years of 365.'],
  [['triaged:2026-08-01', 'triaged:>=2026-08-01'], 'On a day, or since it. Days are in UTC.'],
  [['seen:>-30d', 'seen:<30d', 'seen:-30d'], 'Less than 30 days ago, in three spellings.'],
  [['backlog:2026-08-31'], 'At the end of a day in UTC; for today, now.'],
  [
    ['raised:2026-08-01..2026-08-31 guardrail:fixed'],
    'The terms `raised`, `raised-as` and `guardrail` must match on the same pull request.',
  ],
  [['project:acme/*'], 'A star matches any characters, including slashes.'],
  [['path:a\\*b'], 'A backslash makes the star literal.'],
  [['"jwt"', 'sql', '"select * from"'], 'Text to search for. A star in it is literal.'],
  [['path:"my dir/*"', '"say \\"hi\\""'], 'Quotes allow spaces, commas and colons; `\\"` is a quote within them.'],
];
