import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseEvents } from './parse-events.ts';

const event = (id: string) => ({ id, type: 'scan.completed', at: '2026-11-15T00:00:00Z', deploymentId: '1', data: {} });
const written = (id: string) => `id: ${id}\nevent: scan.completed\ndata: ${JSON.stringify(event(id))}\n\n`;

test('events are parsed correctly wherever the stream is split, and comments are ignored', () => {
  const text = `retry: 3000\n\n: still here\n\n${written('a')}${written('b')}`;
  for (let cut = 0; cut <= text.length; cut++) {
    const first = parseEvents(text.slice(0, cut));
    const second = parseEvents(first.rest + text.slice(cut));
    assert.deepEqual([...first.events, ...second.events], [event('a'), event('b')]);
    assert.equal(second.rest, '');
  }
});
