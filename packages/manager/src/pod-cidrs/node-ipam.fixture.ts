/** Configures node-ipam-controller from flags and a configuration file. */
import assert from 'node:assert/strict';
import type { StartupNote } from '@tandem/cli/flags';
import { parseConfiguration } from '../config/index.ts';
import type { ConfiguredController } from '../controllers/index.ts';
import { nodeIpam } from '../controllers/node-ipam.ts';
import { joinFlags } from '../flags/joined-flags.fixture.ts';

import type { NodeIpamOptions } from './read-node-ipam.ts';

export interface ReadIpam extends NodeIpamOptions {
  readonly controller: ConfiguredController;
  /** The names of all controllers that run. */
  readonly running: readonly string[];
  readonly problems: readonly string[];
  readonly notes: readonly StartupNote[];
}

/** `pools` are entries of `podCIDRPools` in flow style, one on each line from line 4 on. */
export function readIpam(args: readonly string[], pools: readonly string[] = []): ReadIpam {
  const { settings, problems, notes } = joinFlags(['--cloud-provider=static', ...args], {
    configuration: configurationOf(pools),
  });
  const controller = settings.allControllers.find(({ facts }) => facts.name === nodeIpam.name);
  assert.ok(controller !== undefined);
  const options = controller.settings as NodeIpamOptions;
  const running = settings.controllers.map(({ facts }) => facts.name);
  return { ...options, controller, running, problems, notes };
}

function configurationOf(pools: readonly string[]): ReturnType<typeof parseConfiguration> {
  const text = [
    'apiVersion: tandem.dev/v1alpha1',
    'kind: ManagerConfiguration',
    pools.length === 0 ? '' : 'podCIDRPools:',
    ...pools.map((pool) => `- {${pool}}`),
  ].join('\n');
  return parseConfiguration(text, { path: 'c.yaml', gates: { CloudNodeIPs: true } });
}
