/**
 * Runs the secure port. It opens only if everything that the settings name can be used, reloads rotated files, and
 * refuses requests when in doubt. `assemble.ts` connects its parts.
 */
import type { AddressInfo } from 'node:net';
import type { Timer } from '@tandem/runtime';
import { assemble, type ServingOptions } from './assemble.ts';
import { familiesOf } from './http/listen.ts';

export interface Serving {
  /** Rejects with a `ServingError` and leaves nothing open. */
  start(): Promise<void>;
  stop(): Promise<void>;
  /** The address on which it listens; undefined until it listens. */
  readonly address: AddressInfo | undefined;
}

/** The interval of reloads. Rotated files must take effect within 75 seconds, even with a slow disk. */
const rereadEveryMs = 20_000;

/** Opens nothing before `start`. */
export function createServing(options: ServingOptions): Serving {
  const { settings, clock } = options;
  const parts = assemble(options);
  let address: AddressInfo | undefined;
  let timer: Timer | undefined;
  let isStopped = false;

  const reread = async (): Promise<void> => {
    await Promise.all([parts.certificates.refresh(), parts.authorities.refresh()]);
    if (!isStopped) rereadLater();
  };
  const rereadLater = (): void => {
    timer = clock.after(rereadEveryMs, () => void reread());
  };

  const stop = async (): Promise<void> => {
    isStopped = true;
    timer?.cancel();
    await Promise.all([parts.server.close(), parts.authorities.stop()]);
    address = undefined;
  };

  return {
    async start() {
      try {
        await parts.certificates.load();
        if (!isStopped) await parts.authorities.start();
        if (isStopped) throw new Error('Stopped before the secure port was open');
        address = await parts.server.listen(settings);
      } catch (err) {
        await stop();
        throw err;
      }
      rereadLater();
      const facts = { address: address.address, port: address.port, families: familiesOf(address) };
      options.logger.info(facts, 'Opened the secure port');
    },
    stop,
    get address() {
      return address;
    },
  };
}
