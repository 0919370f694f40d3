/** `--feature-gates=Name=true,Other=false`; what the names mean is in `feature-gates.ts`. */
import {
  type DefaultedFlag,
  honoured,
  invalid,
  list,
  parseBool,
  value,
  type ValueType,
} from '@tandem/cli/flags';

export interface GateSetting {
  readonly name: string;
  readonly isOn: boolean;
}

const gateSettings: ValueType<readonly GateSetting[]> = list('gates', (text) => {
  const [, name, setting = ''] = /^\s*([^=\s]+)\s*=\s*(.*?)\s*$/.exec(text) ?? [];
  const isOn = parseBool(setting);
  return name === undefined || isOn.kind === 'invalid'
    ? invalid('is not a feature gate setting: write NAME=true or NAME=false')
    : value({ name, isOn: isOn.value });
});

export const featureGates: DefaultedFlag<readonly GateSetting[]> = {
  name: 'feature-gates',
  type: gateSettings,
  byDefault: '',
  support: honoured,
  help: 'Comma-separated NAME=true|false pairs. CloudNodeIPs (default true): if false, a node can request a single IP address only, as before KEP-3705. Upstream gates are accepted but have no effect; the startup log lists them.',
};
