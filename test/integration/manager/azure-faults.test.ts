/**
 * New nodes on Azure while calls to Azure and writes to the API server go wrong: each keeps its taint until all of
 * its addresses were read (P1, P3), and gets them once the trouble is over. Trouble that lasts is told on the node (P6).
 */
import assert from 'node:assert/strict';
import {
  aConfiguration,
  aMachine,
  anInterface,
  ArmError,
  type Fault,
  throttled,
} from '../../support/arm/index.ts';
import type { CuttingProxy, Fate } from '../../support/cutting-proxy/index.ts';
import { type AzureCluster, anInstanceOfPool, openAzureCluster } from './azure-cluster.ts';
import { hasTaint, ipsOf, type SeenNode } from './seen-node.ts';
import { useInstallation } from './installation.ts';

const ofScaleSets = 'listVirtualMachineScaleSet';
/** What goes wrong at a time, for a machine and for an instance of a scale set. */
const troubles: readonly [Pair, Pair, Pair] = [
  [
    { call: 'virtualMachines.list', fault: throttled(1) },
    { call: 'virtualMachineScaleSetVMs.list', fault: refused(403) },
  ],
  [
    { call: 'networkInterfaces.list', fault: refused(500) },
    { call: `networkInterfaces.${ofScaleSets}NetworkInterfaces`, fault: { kind: 'reset' } },
  ],
  [
    { call: 'publicIPAddresses.list', fault: { kind: 'garbage' } },
    { call: `publicIPAddresses.${ofScaleSets}PublicIPAddresses`, fault: refused(500) },
  ],
];

type Pair = readonly [Trouble, Trouble];

interface Trouble {
  readonly call: string;
  readonly fault: Fault;
}

/** What becomes of the first write of each of these nodes. */
const lost: readonly { readonly path: string; readonly when: 'before' | 'after'; fate: Fate }[] = [
  { path: 'worker-1/status', when: 'after', fate: 'drop' },
  { path: 'worker-1', when: 'before', fate: 'drop' },
  { path: 'worker-2/status', when: 'before', fate: anAnswer(500) },
  { path: 'worker-2', when: 'after', fate: anAnswer(504) },
];

describe('on Azure, new nodes', function () {
  const { open } = useInstallation();
  this.timeout(180_000);

  it('are initialised with all of their addresses or not at all, whatever calls and writes fail', async () => {
    await using cluster = await openAzureCluster(open, { through: loseWrites });
    const { scenario, azure, manager } = cluster;
    const { arm } = azure;
    const names = [await addNode(cluster, 'machine', 1)];
    await scenario.untilInitialised(names);
    for (const together of troubles) {
      // Twice: a look-up of another node may be the first to meet it.
      arm.nextFaults.push(...together, ...together);
      names.push(await addNode(cluster, 'machine', names.length + 1));
      names.push(await addNode(cluster, 'instance', names.length + 1));
      await scenario.until(() => arm.nextFaults.length === 0);
    }
    const [, [lasting]] = troubles;
    arm.faults.set(lasting.call, lasting.fault);
    const told = await addNode(cluster, 'machine', names.length + 1);
    await scenario.untilSaid(told, 'InstanceLookupFailed');
    assert(hasTaint(scenario.node(told)));
    arm.faults.clear();
    names.push(told);
    await scenario.untilInitialised(names);
    for (const [index, name] of names.entries()) {
      const number = index + 1;
      const want = [`10.0.0.${number}`, `fd00::${number}`, `192.0.2.${number}`];
      assert.deepEqual(ipsOf(scenario.node(name)), want);
    }
    assert.deepEqual(scenario.nodes.history.filter(isHalfDone), []);
    manager.assertRunning();
  });
});

/** Adds a node with a machine of either kind that has an address of each family and a public one. */
async function addNode(
  cluster: AzureCluster,
  of: 'machine' | 'instance',
  number: number,
): Promise<string> {
  const publicAddress = { name: `pip-${number}`, address: `192.0.2.${number}` };
  const configurations = [
    aConfiguration(`10.0.0.${number}`, { publicAddress }),
    aConfiguration(`fd00::${number}`, { name: 'ipv6' }),
  ];
  const interfaces = [anInterface(number, { configurations })];
  const [machine, instance] = [
    aMachine(number, { interfaces }),
    anInstanceOfPool(number, { interfaces }),
  ];
  if (of === 'machine') cluster.put(machine);
  else cluster.putInstance(instance);
  const name = (of === 'machine' ? machine : instance).computerName;
  await cluster.scenario.register({ name });
  return name;
}

function loseWrites(proxy: CuttingProxy): void {
  for (const { path, when, fate } of lost) {
    const isOfNode = `/api/v1/nodes/${path}`;
    proxy.interfere({
      on: ({ kind, path: asked }) => kind === 'write' && asked === isOfNode,
      nth: 1,
      when,
      act: () => fate,
    });
  }
}

/** A node that may be used although some of its addresses are missing. */
function isHalfDone(node: SeenNode): boolean {
  return !hasTaint(node) && ipsOf(node).length < 3;
}

function refused(status: number): Fault {
  const error = new ArmError('SomethingIsWrong', 'It is not to be had.', { status });
  return { kind: 'refuse', error };
}

function anAnswer(status: number): Fate {
  return { status, reason: 'InternalError', message: 'the server is in trouble' };
}
