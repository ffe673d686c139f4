const STRING = /"((?:[^"\\]|\\.)*)"/y;

/** The paths of all members at the start of a JSON document, such as `runs[].tool`, with the values of strings. */
export function memberPaths(start: string): Map<string, string | undefined> {
  const found = new Map<string, string | undefined>();
  const around: string[] = [];
  let here = '';
  let at = 0;
  while (at < start.length) {
    const character = start[at];
    if (character === '"') {
      STRING.lastIndex = at;
      const [whole, content = ''] = STRING.exec(start) ?? [];
      if (whole === undefined) break;
      at += whole.length;
      if (/^\s*:/.test(start.slice(at, at + 50))) {
        const parent = around.at(-1) ?? '';
        here = parent === '' ? content : `${parent}.${content}`;
        if (!found.has(here)) found.set(here, undefined);
      } else if (found.get(here) === undefined) found.set(here, content);
      continue;
    }
    if (character === '{') around.push(here);
    else if (character === '[') {
      around.push(here);
      here += '[]';
      found.set(here, undefined);
    } else if (character === '}' || character === ']') here = around.pop() ?? '';
    at++;
  }
  return found;
}
