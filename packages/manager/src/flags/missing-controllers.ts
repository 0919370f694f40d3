/** Upstream's controllers that no declaration of Tandem's has, and what to run instead of each. */
import type { ControllerDeclaration } from '../controllers/index.ts';

/** A controller as people may write it in `--controllers`. */
export interface NamedController {
  readonly name: string;
  readonly alias: string;
  readonly otherAliases?: readonly string[];
}

interface MissingController extends NamedController {
  /** Whether `*` stands for it. */
  readonly isOnByDefault: boolean;
  readonly instead: string;
}

export function missingControllers(
  declarations: readonly ControllerDeclaration[],
): readonly MissingController[] {
  const declared = new Set(declarations.map(({ name }) => name));
  return upstreamControllers.filter(({ name }) => !declared.has(name));
}

const upstreamControllers: readonly MissingController[] = [
  {
    name: 'service-lb-controller',
    alias: 'service',
    isOnByDefault: true,
    instead:
      "If you need load balancers, run your cloud's own manager beside Tandem with --controllers=service-lb-controller and another --leader-elect-resource-name. Otherwise add -service-lb-controller to --controllers here",
  },
];
