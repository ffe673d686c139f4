/** Code whose lines start with their number: those from `line` to `endLine`, and all of them. */
export function numberedCode(numbered: string, line: number, endLine: number) {
  const rows = numbered.split('\n').flatMap((row) => {
    const [, at, code = ''] = /^\s*(\d+)[:|]? ?(.*)$/.exec(row) ?? [];
    return at === undefined ? [] : [{ at: Number(at), code }];
  });
  const joined = (some: typeof rows) => some.map(({ code }) => code).join('\n');
  return { code: joined(rows.filter(({ at }) => at >= line && at <= endLine)), context: joined(rows) };
}
