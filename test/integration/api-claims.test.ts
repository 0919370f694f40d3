/** The claims about the API, put to a real kube-apiserver: this is what makes them true. */
import assert from 'node:assert/strict';
import { createCluster } from '@tandem/devcluster/model';
import { loadCredentials } from '@tandem/kube/credentials';
import { createTransport, type KubeTransport } from '@tandem/kube/transport';
import { sleep, systemClock, systemIds } from '@tandem/runtime';
import { seededRandom, virtualClock } from '@tandem/runtime/testing';
import { claims, comparable, compacting, RandomWrites, Session } from '../api-claims/index.ts';
import {
  type ControlPlane,
  forgetfulControlPlane,
  sharedControlPlane,
} from '../control-plane/index.ts';
import { howToReplay, seedsOf } from '../support/seeds.ts';
import { declareClaims } from './declare-claims.ts';

async function connect({ kubeconfig }: ControlPlane): Promise<KubeTransport> {
  const credentials = await loadCredentials({ kubeconfig, environment: {}, clock: systemClock });
  return createTransport({ credentials, userAgent: 'tandem-tests' });
}

const file = 'test/integration/api-claims.test.ts';

/** The server is shared with other files. */
const prefix = `claim-${systemIds.uuid().slice(0, 8)}`;
const elapse = (durationMs: number): Promise<void> => sleep(systemClock, durationMs);

describe('claims about the API, put to a real kube-apiserver', function () {
  this.timeout(60_000);
  let transport: KubeTransport;
  let session: Session;

  before(async function () {
    transport = await connect(await sharedControlPlane(this));
    session = new Session({ transport, prefix, elapse });
  });
  after(() => transport?.close());

  declareClaims(claims, () => session);
});

describe('random writes to nodes', function () {
  this.timeout(60_000);

  it('have the same outcome on a real kube-apiserver and on the embedded one', async function () {
    const real = await connect(await sharedControlPlane(this));
    const clock = virtualClock();
    const cluster = createCluster({ clock, random: seededRandom('embedded') });
    const sessions = [real, cluster.connect({ latencyMs: 0 })].map(
      (transport) => new Session({ transport, prefix, elapse }),
    );
    const names = ['x', 'y'].map((suffix) => `${prefix}-random-${suffix}`);
    for (const seed of seedsOf('random-writes', 4)) {
      const writes = new RandomWrites(seededRandom(seed), names);
      for (let number = 0; number < 250; number++) {
        const question = writes.next();
        const answers = await Promise.all(sessions.map((session) => session.ask(question)));
        const [wanted, got] = answers.map(comparable);
        const where = `write ${number}, ${JSON.stringify(question)}. ${howToReplay(seed, file)}`;
        assert.deepEqual({ where, answer: got }, { where, answer: wanted });
      }
    }
    await real.close();
  });
});

describe('claims about forgotten versions, put to a real kube-apiserver', function () {
  this.timeout(60_000);
  let transport: KubeTransport;
  let session: Session;

  before(async function () {
    // The watch cache would remember what etcd has forgotten.
    const controlPlane = await forgetfulControlPlane(this);
    transport = await connect(controlPlane);
    const compact = async (): Promise<void> => void (await controlPlane.compactEtcd());
    session = new Session({ transport, prefix, elapse, compact });
  });
  after(() => transport?.close());

  for (const { name, run } of compacting) it(name, () => run(session));
});
