/**
 * A manager as operators run it: the shipped program with an open secure port, a certificate of a company's authority,
 * and reviews with the service account of the shipped manifest.
 */
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { systemClock } from '@tandem/runtime';
import { createAuthority } from '../../control-plane/index.ts';
import { freePorts } from '../../control-plane/ports.ts';
import { type ManagerProcess, quickLease } from '../manager/manager-process.ts';
import type { Scenario, StartOptions } from '../manager/scenario.ts';
import { SecurePort } from './secure-port.ts';

export interface Operated {
  readonly manager: ManagerProcess;
  readonly port: SecurePort;
}

/** The shortest times with which the rules of deletion can be tested. */
export const quickDeletion: readonly string[] = [
  '--node-monitor-period=1s',
  '--node-deletion-grace=1s',
  '--node-deletion-min-age=1s',
];

export const authority: ReturnType<typeof createAuthority> = createAuthority(
  'operators',
  systemClock.now(),
);

interface OperateOptions extends StartOptions {
  /** Flags of the election; short timings by default. */
  readonly election?: readonly string[];
}

/** Starts a manager, and waits until it serves. */
export async function operate(scenario: Scenario, options: OperateOptions = {}): Promise<Operated> {
  const number = await aPort();
  const files = await servingFiles(scenario.directory, `manager-${number}`);
  const reviews = await scenario.kubeconfig(options);
  const manager = await scenario.start({
    ...options,
    flags: [
      '--bind-address=127.0.0.1',
      `--secure-port=${number}`,
      `--tls-cert-file=${files.certFile}`,
      `--tls-private-key-file=${files.keyFile}`,
      `--authentication-kubeconfig=${reviews}`,
      `--authorization-kubeconfig=${reviews}`,
      ...(options.election ?? quickLease),
      ...(options.flags ?? []),
    ],
  });
  await manager.says(/Opened the secure port/);
  const { cert = '', key = '' } = scenario.controlPlane.admin;
  return {
    manager,
    port: new SecurePort({ port: number, ca: authority.cert, master: { cert, key } }),
  };
}

export async function servingFiles(
  directory: string,
  name: string,
): Promise<{ readonly certFile: string; readonly keyFile: string }> {
  const pair = authority.issue({ commonName: name, hosts: ['127.0.0.1'], uses: ['serverAuth'] });
  const certFile = join(directory, `${name}.crt`);
  const keyFile = join(directory, `${name}.key`);
  await writeFile(certFile, pair.cert);
  await writeFile(keyFile, pair.key, { mode: 0o600 });
  return { certFile, keyFile };
}

/** A port that no outgoing connection can take before the manager starts. */
export async function aPort(): Promise<number> {
  const [port] = await freePorts(1);
  assert.ok(port !== undefined, 'no port is free');
  return port;
}

/** Waits until the manager leads, by its own metric. */
export async function untilLeading(scenario: Scenario, { port }: Operated): Promise<void> {
  await scenario.until(async () => (await port.metric(leading)) === 1);
}

export const leading = 'leader_election_master_status{name="cloud-controller-manager"}';

/** Waits for further passes over the nodes, as many as given. */
export async function untilPasses(
  scenario: Scenario,
  { port }: Operated,
  more: number,
): Promise<void> {
  const passes = 'cloud_node_lifecycle_controller_monitor_nodes_duration_seconds_count';
  const before = (await port.metric(passes)) ?? 0;
  await scenario.until(async () => ((await port.metric(passes)) ?? 0) >= before + more);
}
