/** The kubectl plugin beside a running manager: its credentials and its output. */
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { kubeconfigOf } from '@tandem/devcluster/kubeconfig';
import { runProgram } from '@tandem/kubectl-nodeip/program';
import { systemClock, systemRandom } from '@tandem/runtime';
import type { Scenario } from '../manager/scenario.ts';
import { bindClusterRole, create, createAccount, tokenFor } from '../serving/cluster.ts';
import { authority } from './operated.ts';
import type { Identity, SecurePort } from './secure-port.ts';

interface Ran {
  readonly exitCode: number;
  readonly output: string;
  readonly errors: string;
}

export interface Plugin {
  (...args: readonly string[]): Promise<Ran>;
}

/** A plugin whose kubeconfig has these credentials, with the address of the manager. */
export async function pluginAs(
  scenario: Scenario,
  name: string,
  { token, cert, key }: Identity,
  port?: SecurePort,
): Promise<Plugin> {
  const { server, ca } = scenario.controlPlane.admin;
  const credentials = token === undefined ? { cert: cert ?? '', key: key ?? '' } : { token };
  const kubeconfig = join(scenario.directory, `${name}.user.kubeconfig`);
  await writeFile(kubeconfig, kubeconfigOf({ server, ca, name, user: name, credentials }));
  const caFile = join(scenario.directory, 'operators.crt');
  await writeFile(caFile, authority.cert);
  const manager = port === undefined ? [] : [`--manager=${port.address}`, `--manager-ca=${caFile}`];
  return (command = '', ...rest) =>
    runPlugin([command, ...rest, `--kubeconfig=${kubeconfig}`, ...manager]);
}

/** Runs the plugin in this process, with texts instead of streams. */
export async function runPlugin(args: readonly string[]): Promise<Ran> {
  const output: string[] = [];
  const errors: string[] = [];
  const sink = (texts: string[]) => ({
    write: (text: string) => texts.push(text) > 0,
    once: () => undefined,
  });
  async function* nothing(): AsyncGenerator<string> {}
  const streams = {
    input: nothing(),
    output: sink(output),
    errors: sink(errors),
    hasColour: false,
  };
  const openPorts = async () => ({ clock: systemClock, random: systemRandom, environment: {} });
  const exitCode = await runProgram(args, streams, openPorts);
  return { exitCode, output: output.join(''), errors: errors.join('') };
}

/** A service account with exactly these rights. */
export async function userWith(
  scenario: Scenario,
  name: string,
  rules: readonly object[],
): Promise<string> {
  const { controlPlane } = scenario;
  const account = await createAccount(controlPlane, name);
  const role = `nodeip-${name}`;
  await create(controlPlane, '/apis/rbac.authorization.k8s.io/v1/clusterroles', {
    metadata: { name: role },
    rules,
  });
  await bindClusterRole(controlPlane, role, { kind: 'ServiceAccount', name: account.name });
  return tokenFor(controlPlane, account);
}

export function dataOf({ output, errors }: Ran): ReturnType<typeof JSON.parse> {
  try {
    return JSON.parse(output);
  } catch {
    assert.fail(`no JSON: ${output}\n${errors}`);
  }
}
