/** Custom rules of the made-up organization, besides the shipped ones. */
export const CUSTOM_RULES = [
  {
    id: 'acme.card-number-in-log',
    message:
      'The number of a card goes into the log, where it may not be (PCI DSS 3.4). Log the last four digits instead.',
    severity: 'CRITICAL',
    languages: ['javascript', 'typescript', 'java'],
    metadata: {
      category: 'security',
      cwe: ['CWE-532: Insertion of Sensitive Information into Log File'],
      owasp: ['A09:2021 - Security Logging and Monitoring Failures'],
      confidence: 'HIGH',
      references: ['https://cwe.mitre.org/data/definitions/532.html'],
      vulnerability_class: ['Sensitive Data in Logs'],
    },
    'pattern-regex': 'log\\w*\\.info\\(.*card\\.number',
  },
  {
    id: 'acme.internal-host-name',
    message: 'The address of an internal service is in the code, so that moving it needs a release. Use the settings.',
    severity: 'LOW',
    languages: ['generic'],
    metadata: {
      category: 'maintainability',
      cwe: ['CWE-1051: Initialization with Hard-Coded Network Resource Configuration Data'],
      confidence: 'MEDIUM',
    },
    'pattern-regex': '\\.internal\\.acme\\.example',
  },
  {
    id: 'acme.feature-flag-left',
    message: 'The flag is on for everybody since last year. Remove it together with the old code.',
    severity: 'INVENTORY',
    languages: ['generic'],
    metadata: { category: 'maintainability', cwe: ['CWE-561: Dead Code'], confidence: 'HIGH' },
    'pattern-regex': 'legacy-[a-z]+',
  },
] as const;
