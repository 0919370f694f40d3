/**
 * The `exec` section of a kubeconfig user: the command that returns credentials, and its API version.
 * Commands that need a terminal are refused.
 */
import { dirname, isAbsolute, resolve } from 'node:path';
import { CredentialsError } from './credentials.ts';
import { field, type Fields, type FieldPath } from './fields.ts';

export interface ExecSettings {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly apiVersion: string;
  readonly installHint: string | undefined;
  /** The cluster, if the plug-in asks for it. */
  readonly cluster: Fields | undefined;
  /** For people: `users["jane"].exec in /etc/kubeconfig`. */
  readonly where: string;
}

const apiVersions: readonly string[] = [
  'client.authentication.k8s.io/v1',
  'client.authentication.k8s.io/v1beta1',
];

export function readExecSettings(
  exec: unknown,
  { path, file, cluster }: { path: FieldPath; file: string; cluster: Fields },
): ExecSettings {
  const fields = field.map(exec, path);
  const at = (name: string): FieldPath => path.at(name);
  const apiVersion = field.text(fields['apiVersion'], at('apiVersion')) ?? '';
  const command = field.text(fields['command'], at('command')) ?? '';
  if (command === '') throw invalid(at('command'), 'is empty.', 'Name the command to run.');
  if (!apiVersions.includes(apiVersion)) {
    const fix = `Use ${apiVersions.join(' or ')}. Newer versions of the plugin support one of them.`;
    throw invalid(at('apiVersion'), `is "${apiVersion}", which Tandem does not support.`, fix);
  }
  if (fields['interactiveMode'] === 'Always') {
    const fix = 'Use a plugin, or a mode of the plugin, that needs no terminal.';
    throw invalid(at('interactiveMode'), 'is "Always", but Tandem has no terminal.', fix);
  }
  return {
    command: findCommand(command, file),
    args: field.list(fields['args'], at('args')).map((arg, i) => textOf(arg, at(`args[${i}]`))),
    env: Object.fromEntries(
      field.list(fields['env'], at('env')).map((entry, i) => readVariable(entry, at(`env[${i}]`))),
    ),
    apiVersion,
    installHint: field.text(fields['installHint'], at('installHint')),
    cluster: fields['provideClusterInfo'] === true ? cluster : undefined,
    where: path.text,
  };
}

/** A command with a path is relative to the kubeconfig. A bare name is looked up on the PATH. */
function findCommand(command: string, file: string): string {
  const isBareName = !command.includes('/');
  return isBareName || isAbsolute(command) ? command : resolve(dirname(file), command);
}

function readVariable(entry: unknown, path: FieldPath): readonly [string, string] {
  const { name, value } = field.map(entry, path);
  return [textOf(name, path.at('name')), textOf(value, path.at('value'))];
}

function textOf(value: unknown, path: FieldPath): string {
  return field.text(value, path) ?? '';
}

function invalid(path: FieldPath, problem: string, fix: string): CredentialsError {
  return new CredentialsError('KubeconfigInvalid', { problem: `${path.text} ${problem}`, fix });
}
