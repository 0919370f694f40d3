/**
 * The same claims about the API, put to the embedded server: in virtual time without sockets, and over
 * HTTPS.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createCluster } from '@tandem/devcluster/model';
import { serve, type ServedCluster } from '@tandem/devcluster/serve';
import { loadCredentials } from '@tandem/kube/credentials';
import { createTransport, type KubeTransport } from '@tandem/kube/transport';
import { sleep, systemClock, systemRandom } from '@tandem/runtime';
import { seededRandom, virtualClock } from '@tandem/runtime/testing';
import { claims, compacting, Session } from '../api-claims/index.ts';
import { declareClaims } from './declare-claims.ts';

const everything = [...claims, ...compacting];
const startMs = Date.UTC(2026, 0, 1);

describe('claims about the API, put to the embedded server without sockets', () => {
  for (const { name, run } of everything) {
    it(name, async () => {
      const clock = virtualClock({ startMs });
      const cluster = createCluster({ clock, random: seededRandom(name) });
      const transport = cluster.connect({ latencyMs: 0 });
      const session = new Session({
        transport,
        prefix: 'claim',
        elapse: (durationMs) => clock.advance(durationMs),
        compact: async () => cluster.store.compact(),
      });
      await run(session);
    });
  }
});

describe('claims about the API, put to the embedded server over HTTPS', () => {
  let directory: string;
  let served: ServedCluster;
  let transport: KubeTransport;
  let session: Session;

  before(async () => {
    const cluster = createCluster({ clock: systemClock, random: systemRandom });
    served = await serve({ cluster, clock: systemClock });
    directory = await mkdtemp(join(tmpdir(), 'tandem-claims-'));
    const kubeconfig = join(directory, 'kubeconfig');
    await writeFile(kubeconfig, served.kubeconfig, { mode: 0o600 });
    const credentials = await loadCredentials({ kubeconfig, environment: {}, clock: systemClock });
    transport = createTransport({ credentials, userAgent: 'tandem-tests' });
    session = new Session({
      transport,
      prefix: 'claim',
      elapse: (durationMs) => sleep(systemClock, durationMs),
      compact: async () => cluster.store.compact(),
    });
  });

  after(async () => {
    await transport?.close();
    await served?.stop();
    if (directory !== undefined) await rm(directory, { recursive: true, force: true });
  });

  declareClaims(everything, () => session);
});
