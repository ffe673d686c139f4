import { createHash, createHmac } from 'node:crypto';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** A bucket on loopback that verifies signatures by itself, with faults. */
export class FakeS3 {
  readonly objects = new Map<string, string>();
  secret = 'a-secret-access-key';
  requests = 0;
  readonly #server: Server;
  readonly #faults: { status: number; body: string; isAfter?: boolean }[] = [];

  private constructor() {
    this.#server = createServer((request, response) => {
      void text(request).then((body) => {
        this.requests += 1;
        const fault = this.#faults.shift();
        const refusal = this.#refusalOf(request, body);
        if (refusal === undefined && (!fault || fault.isAfter)) this.objects.set(request.url ?? '', body);
        if (fault) response.writeHead(fault.status).end(fault.body);
        else response.writeHead(refusal === undefined ? 200 : 403).end(refusal ?? '');
      });
    });
  }

  static async start(): Promise<FakeS3> {
    const storage = new FakeS3();
    await new Promise<void>((resolve) => storage.#server.listen(0, '127.0.0.1', resolve));
    return storage;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  get endpoint(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  fail(...faults: { status: number; body: string; isAfter?: boolean }[]): void {
    this.#faults.push(...faults);
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  /** Computes the signature again, from what arrived. */
  #refusalOf({ method, url, headers }: IncomingMessage, body: string): string | undefined {
    const pattern =
      /^AWS4-HMAC-SHA256 Credential=\w+\/(\d{8})\/([^/]+)\/s3\/aws4_request,SignedHeaders=([^,]+),Signature=(\w+)$/;
    const [, day = '', region = '', names = '', signature = ''] = pattern.exec(headers.authorization ?? '') ?? [];
    const digest = createHash('sha256').update(body).digest('hex');
    if (headers['x-amz-content-sha256'] !== digest) return '<Error><Code>XAmzContentSHA256Mismatch</Code></Error>';
    const lines = names.split(';').map((name) => `${name}:${String(headers[name])}`);
    const canonical = [method, url, '', ...lines, '', names, digest].join('\n');
    const scope = `${day}/${region}/s3/aws4_request`;
    const hashed = createHash('sha256').update(canonical).digest('hex');
    const signed = `AWS4-HMAC-SHA256\n${String(headers['x-amz-date'])}\n${scope}\n${hashed}`;
    let key: Buffer | string = `AWS4${this.secret}`;
    for (const part of [day, region, 's3', 'aws4_request']) key = createHmac('sha256', key).update(part).digest();
    const expected = createHmac('sha256', key).update(signed).digest('hex');
    return expected === signature ? undefined : '<Error><Code>SignatureDoesNotMatch</Code></Error>';
  }
}
