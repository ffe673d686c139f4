import { OperatorError } from '#kernel/errors/operator-error.ts';

/** Thrown when another program listens on the port. */
export class PortInUse extends OperatorError {
  constructor(host: string, port: number) {
    super(`Port ${port} on ${host} is in use by another program; choose one with PARAPET_PORT=8081.`);
  }
}
