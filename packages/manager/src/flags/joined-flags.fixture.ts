/** Reads a command line and joins it with a configuration file, as the manager does at start. */
import assert from 'node:assert/strict';
import { type Configuration, noConfiguration } from '../config/index.ts';
import type { ControllerDeclaration } from '../controllers/index.ts';
import type { ManagerSettings } from '../settings/index.ts';
import { type FlagSettings, parseCommandLine, type RunLine } from './command-line.ts';
import { joinConfiguration } from './read-settings.ts';

export interface JoinedLine extends Omit<RunLine, 'settings'> {
  readonly settings: ManagerSettings & FlagSettings;
}

export interface JoinedOptions {
  readonly declarations?: readonly ControllerDeclaration[];
  readonly configuration?: Configuration;
}

export function joinFlags(args: readonly string[], options: JoinedOptions = {}): JoinedLine {
  const { declarations, configuration = noConfiguration } = options;
  const line = parseCommandLine(args, declarations);
  assert.ok(line.kind === 'run');
  const joined = joinConfiguration(line, configuration);
  return { ...line, ...joined, settings: { ...line.settings, ...joined.settings } };
}
