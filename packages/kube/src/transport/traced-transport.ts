/**
 * Tells at `-v=6` what goes over the wire: method, path and status, and how long the head of the answer
 * took. Never a header or a body: both may hold secrets.
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
