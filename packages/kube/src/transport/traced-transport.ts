/**
 * Logs each request at `-v=6`: method, path, status, and the time until the head of the answer. Never a
 * header or a body, because both may contain secrets.
 */
import type { Clock, Logger } from '@tandem/runtime';
import type { KubeTransport } from './transport.ts';

export function tracedTransport(
  transport: KubeTransport,
  { clock, logger }: { readonly clock: Clock; readonly logger: Logger },
): KubeTransport {
  return {
    async send(request) {
      const { method, path } = request;
      const startMs = clock.monotonic();
      const durationMs = (): number => Math.round(clock.monotonic() - startMs);
      try {
        const response = await transport.send(request);
        const { status } = response;
        logger.trace({ method, path, status, durationMs: durationMs() }, 'API server answered');
        return response;
      } catch (err) {
        logger.trace({ method, path, err, durationMs: durationMs() }, 'API server did not answer');
        throw err;
      }
    },
    close: () => transport.close(),
  };
}
