/**
 * Selects the controllers by upstream's rules: the first entry that names a controller, by its name or its alias,
 * decides about it. Otherwise `*` turns it on, and without `*` it is off. The names of controllers that only upstream
 * has are accepted, so that existing manifests work, and the log says what to do about them. A controller that only
 * upstream's manager for one cloud has can be turned off, but not on.
 */
import { type DefaultedFlag, type StartupNote, suggestion, texts } from '@tandem/cli/flags';
import { quote } from '@tandem/core/node-address';
import type { ControllerDeclaration } from '../controllers/index.ts';

export interface SelectedControllers {
  /** The names of the selected controllers. */
  readonly names: ReadonlySet<string>;
  /** The selected controllers that an entry names. The others are on by `*`. */
  readonly named: ReadonlySet<string>;
  readonly problems: readonly string[];
  readonly notes: readonly StartupNote[];
}

/** Returns the flag, whose help names the existing controllers. */
export function controllersFlag(
  declarations: readonly ControllerDeclaration[],
): DefaultedFlag<readonly string[]> {
  const own = enumerate(declarations);
  const missing = enumerate(missingControllers(declarations));
  return {
    name: 'controllers',
    type: texts,
    byDefault: '*',
    help: `Controllers to run. "*" enables all, NAME enables one, -NAME disables one. The first entry that names a controller decides. Tandem has ${own}. For ${missing}, the startup log says what to run instead.`,
  };
}

/** Returns a text such as `a (b), c (d) and e (f)`. */
function enumerate(controllers: readonly NamedController[]): string {
  const all = controllers.map(({ name, alias }) => `${name} (${alias})`);
  return [all.slice(0, -1).join(', '), ...all.slice(-1)]
    .filter((text) => text !== '')
    .join(' and ');
}

export function selectControllers(
  entries: readonly string[],
  declarations: readonly ControllerDeclaration[],
): SelectedControllers {
  const selected = declarations.filter((one) => isOn(entries, one, true));
  const missing = missingControllers(declarations);
  const problems = entries.flatMap((entry) => findUnknown(entry, [...declarations, ...missing]));
  if (problems.length === 0 && selected.length === 0) problems.push(nothingToRun(declarations));
  const asked = missing.filter((one) => isOn(entries, one, one.isOnByDefault));
  return {
    names: namesOf(selected),
    named: namesOf(selected.filter((one) => isNamed(entries, one))),
    problems,
    notes: asked.map((one) => ({
      // An operator who names a controller relies on it; `*` is only the default.
      level: isNamed(entries, one) ? 'warn' : 'info',
      message: 'Controller is not available in Tandem',
      fields: { controller: one.name, advice: one.instead },
    })),
  };
}

function namesOf(controllers: readonly NamedController[]): ReadonlySet<string> {
  return new Set(controllers.map(({ name }) => name));
}

function isNamed(entries: readonly string[], one: NamedController): boolean {
  return wordsFor(one).some((word) => entries.includes(word));
}

/** Returns the names of a controller in `--controllers`. */
function wordsFor({ name, alias, otherAliases = [] }: NamedController): readonly string[] {
  return [name, alias, ...otherAliases];
}

function nothingToRun(declarations: readonly ControllerDeclaration[]): string {
  const names = declarations.map(({ name }) => name).join(', ');
  return `--controllers selects no controller: use * for all, or name at least one of ${names}`;
}

function isOn(entries: readonly string[], one: NamedController, isOnByDefault: boolean): boolean {
  const words = wordsFor(one);
  for (const entry of entries) {
    if (words.includes(entry)) return true;
    if (words.some((word) => entry === `-${word}`)) return false;
  }
  return isOnByDefault && entries.includes('*');
}

function findUnknown(entry: string, known: readonly NamedController[]): string[] {
  const bare = entry.replace(/^-/, '');
  const names = known.flatMap(wordsFor);
  if (entry === '*' || names.includes(bare)) return [];
  const instead = foreignControllers.get(bare);
  if (instead !== undefined) {
    // Tandem does not run it, as the entry asks.
    if (entry !== bare) return [];
    return [`--controllers ${quote(entry)} is not a controller of Tandem: ${instead}`];
  }
  const near = suggestion(bare, names);
  const advice =
    near === undefined
      ? `known controllers are ${known.map(({ name, alias }) => `${name} (${alias})`).join(', ')}`
      : `did you mean ${near}? Known controllers are ${known.map(({ name }) => name).join(', ')}`;
  return [`--controllers ${quote(entry)} is not a controller: ${advice}`];
}

/** A controller as `--controllers` names it. */
interface NamedController {
  readonly name: string;
  readonly alias: string;
  readonly otherAliases?: readonly string[];
}

interface MissingController extends NamedController {
  /** Whether `*` selects it. */
  readonly isOnByDefault: boolean;
  readonly instead: string;
}

/** Returns upstream's controllers that Tandem does not have, with advice for each. */
function missingControllers(
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

/** Controllers of upstream's manager for a single cloud, with advice for operators who turn them on. They are off by default. */
const foreignControllers: ReadonlyMap<string, string> = new Map([
  [
    'tagging',
    "if instances need its tags, run upstream's AWS manager beside Tandem with --controllers=tagging and another --leader-elect-resource-name",
  ],
]);
