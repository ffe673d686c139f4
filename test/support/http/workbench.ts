import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { Examples } from '#kernel/contract/example.ts';
import { operation } from '#kernel/contract/operation.ts';
import * as plain from '#kernel/contract/plain-fields.ts';
import * as proto from '#kernel/contract/proto-fields.ts';
import type { CopyRow } from '#kernel/db/query/copy-text.ts';
import type { Room } from '#kernel/http/openapi/example-calls.ts';
import { group } from '#kernel/http/pipeline/group.ts';
import { RawReply } from '#kernel/http/pipeline/raw-reply.ts';
import { decompress } from '#kernel/http/request/decompress.ts';

/** A room for tests of kernel features that scanners need. No server has it. */

export const MAX_UPLOAD_BYTES = 4 * 1024 * 1024;

const facts = {
  summary: 'For tests',
  maturity: 'experimental',
  allow: 'scan:write',
  deployment: 'credential',
  credential: 'any-token',
  isExtension: true,
} as const;

const reading = { ...facts, allow: 'self', credential: 'any' } as const;

export const PIECE = Buffer.alloc(64 * 1024, 'piece ');
/** The state of downloads: the chunks that were read, and the number of finished downloads. */
export const downloads = { pieces: 0, ended: 0 };

export const contract = {
  receiveScan: operation({
    ...facts,
    route: 'POST /api/workbench/scans',
    path: {},
    upload: { types: ['text/plain', 'application/octet-stream'], limitBytes: MAX_UPLOAD_BYTES },
    reply: {
      bytes: z.int(),
      lines: z.int(),
      digest: z.string(),
      type: z.string(),
      coding: z.string(),
      deployment: plain.id('Deployment'),
    },
  }),
  /** Replies before it has read the body. */
  ignoreScan: operation({
    ...facts,
    route: 'POST /api/workbench/ignored-scans',
    path: {},
    upload: { types: ['text/plain'], limitBytes: MAX_UPLOAD_BYTES },
    reply: {},
  }),
  readRules: operation({
    ...reading,
    route: 'GET /api/workbench/rules',
    path: {},
    query: { form: z.enum(['yaml', 'json', 'undeclared', 'smuggled']).optional() },
    raw: { types: ['text/yaml', 'application/json'] },
    reply: {},
  }),
  download: operation({
    ...reading,
    route: 'GET /api/workbench/download',
    path: {},
    query: { pieces: plain.page(), breaksAt: plain.page() },
    raw: { types: ['application/octet-stream'] },
    reply: {},
  }),
  describeToken: operation({
    ...facts,
    route: 'POST /api/workbench/tokens/{tokenId}/notes',
    path: { tokenId: proto.id('Token') },
    body: { notes: z.array(z.string()) },
    bodyLimitBytes: 2 * 1024 * 1024,
    reply: { length: z.int(), deployment: z.string() },
  }),
};

/** Numbered lines of a chunked text. */
async function* linesOf(pieces: AsyncIterable<Buffer>, note: (piece: Buffer) => void): AsyncGenerator<CopyRow> {
  let rest = '';
  let number = 0;
  for await (const piece of pieces) {
    note(piece);
    const lines = (rest + piece.toString('latin1')).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) yield [++number, line.replaceAll('\0', '')];
  }
  if (rest !== '') yield [++number, rest.replaceAll('\0', '')];
}

const TYPES = {
  yaml: 'text/yaml; charset=utf-8',
  json: 'application/json; charset=utf-8',
  undeclared: 'text/html',
  smuggled: 'text/yaml; charset=utf-8\r\nset-cookie: a=b',
};

export const workbench = group(
  'Workbench',
  contract,
  {
    receiveScan: async ({ upload, request, answer, transactLong, caller }) => {
      const digest = createHash('sha256');
      let bytes = 0;
      const note = (piece: Buffer) => {
        bytes += piece.length;
        digest.update(piece);
      };
      const stage = { table: 'stage_line', columns: { number: 'integer', line: 'text' } } as const;
      const lines = await transactLong(async (tx) => {
        answer.recordEffect({ object: 'scan' });
        return tx.copy(
          stage,
          linesOf(decompress(upload, { coding: request.contentEncoding, limitBytes: MAX_UPLOAD_BYTES }), note),
        );
      });
      const { contentType: type, contentEncoding: coding } = request;
      const deployment = caller.deployment as z.output<typeof contract.receiveScan.reply>['deployment'];
      return { bytes, lines, digest: digest.digest('hex'), type, coding, deployment };
    },
    ignoreScan: async ({ transact }) => {
      await transact(async () => undefined);
      return {};
    },
    readRules: async ({ query: { form = 'yaml' } }) => {
      const body = form === 'json' ? '{"rules":[]}' : 'rules: []\n';
      return new RawReply({ headers: { 'content-type': TYPES[form] }, body });
    },
    download: async ({ query, read }) => {
      async function* pieces() {
        try {
          for (let piece = 0; piece < query.pieces; piece++) {
            if (piece + 1 === query.breaksAt) throw new Error('The download fails on request.');
            await read((tx) => tx.rows`select current_deployment()`);
            downloads.pieces += 1;
            yield PIECE;
          }
        } finally {
          downloads.ended += 1;
        }
      }
      return new RawReply({ headers: { 'content-type': 'application/octet-stream' }, body: pieces() });
    },
    describeToken: async ({ body, tx }) => {
      const [row] = await tx.rows`select current_deployment() as deployment`;
      return { length: body.notes.join('').length, deployment: String(row?.['deployment']) };
    },
  },
  {
    objects: {
      tokenId: async (tx, { id }) => {
        const [row] = await tx.rows`select from api_token where id = ${id}`;
        return row && new Set();
      },
    },
  },
);

const examples: Examples<typeof contract> = {
  receiveScan: () => ({ upload: 'one\ntwo\nthree' }),
  ignoreScan: () => ({ upload: 'whatever' }),
  readRules: () => ({}),
  download: () => ({ query: { pieces: 2 } }),
  describeToken: (of) => ({ path: { tokenId: of('Token') }, body: { notes: ['of mine'] } }),
};

export const workbenchRoom: Room = { group: workbench, examples, purpose: 'For tests' };
