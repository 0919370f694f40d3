/** A provider that cannot be used: the program says so and ends. */
import { CcmError } from '@tandem/runtime';
import { guidePath } from './guide.ts';

export type ProviderLoadCode = 'ProviderModuleNotLoaded' | 'ProviderModuleUnfit';

export class ProviderLoadError extends CcmError {
  constructor(code: ProviderLoadCode, problem: string, cause?: unknown) {
    super(`${problem}. See ${guidePath}`, { code, retry: 'never', effect: 'none', cause });
  }
}
