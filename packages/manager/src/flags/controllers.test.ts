import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { controllers as declarations } from '../controllers/index.ts';
import { selectControllers } from './controllers.ts';

const node = 'cloud-node-controller';
const lifecycle = 'cloud-node-lifecycle-controller';
const ipam = 'node-ipam-controller';
const both = [node, lifecycle];
const route = 'node-route-controller';
/** Whether the last two run is decided later. */
const all = [node, lifecycle, ipam, route];

function select(entries: readonly string[]) {
  const { names, problems, notes } = selectControllers(entries, declarations);
  return {
    controllers: [...names],
    problems,
    missing: notes.map(({ level, fields }) => `${level} ${fields['controller']}`),
  };
}

describe('--controllers', () => {
  const cases = [
    {
      entries: ['*'],
      want: all,
      missing: ['info service-lb-controller'],
    },
    { entries: ['*', '-service', '-route'], want: [node, lifecycle, ipam] },
    {
      entries: ['-service-lb-controller', '-node-route-controller', '*'],
      want: [node, lifecycle, ipam],
    },
    { entries: ['cloud-node'], want: [node] },
    { entries: [node, lifecycle], want: both },
    { entries: ['*', '-cloud-node-lifecycle', '-service', '-route'], want: [node, ipam] },
    { entries: ['-cloud-node', 'cloud-node', 'cloud-node-lifecycle'], want: [lifecycle] },
    { entries: ['cloud-node', '-cloud-node'], want: [node] },
    { entries: ['cloud-node', 'service'], want: [node], missing: ['warn service-lb-controller'] },
    { entries: ['cloud-node', 'nodeipam'], want: [node, ipam] },
    { entries: ['node-ipam'], want: [ipam] },
    { entries: ['cloud-node', 'route'], want: [node, route] },
    { entries: ['*', '-service', '-tagging'], want: all },
    { entries: ['-tagging', 'cloud-node'], want: [node] },
  ];
  for (const { entries, want, missing = [] } of cases) {
    it(`=${entries.join(',')} runs ${want.join(' and ')}`, () => {
      assert.deepEqual(select(entries), { controllers: want, problems: [], missing });
    });
  }

  it('gives advice for each missing controller', () => {
    const { notes } = selectControllers(['*'], declarations);
    assert.ok(notes.length > 0);
    for (const { fields } of notes) assert.match(fields['advice'] ?? '', /--/);
  });

  const mistakes = [
    {
      entries: ['*', 'nodes'],
      want: /"nodes" is not a controller: known controllers are cloud-node-controller \(/,
    },
    { entries: ['*', '-cloud-nod'], want: /"-cloud-nod" is not .* did you mean cloud-node\?/ },
    { entries: ['*', ''], want: /"" is not a controller/ },
    {
      entries: ['*', 'tagging'],
      want: /"tagging" is not a controller of Tandem: .* upstream's AWS manager .* --controllers=tagging/,
    },
    { entries: ['-tagging'], want: /selects no controller/ },
    { entries: [], want: /selects no controller/ },
    {
      entries: ['service'],
      want: /selects no controller: use \* for all, or name at least one of cloud-node-controller, cloud-node-lifecycle-controller, node-ipam-controller, node-route-controller$/,
    },
    {
      entries: ['-cloud-node', '-cloud-node-lifecycle', '-nodeipam', '-route', '*'],
      want: /selects no controller/,
    },
  ];
  for (const { entries, want } of mistakes) {
    it(`=${entries.join(',')} is refused`, () => {
      const { problems } = select(entries);
      assert.equal(problems.length, 1);
      assert.match(problems[0] ?? '', want);
    });
  }

  it('agrees with a second, naive implementation of upstream’s rules', () => {
    const words = declarations.flatMap(({ name, alias }) => [name, alias, `-${name}`, `-${alias}`]);
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('*', '-service', ...words), { maxLength: 6 }),
        (entries) => {
          const want = declarations.filter(({ name, alias }) => {
            const canonical = entries.map((entry) =>
              entry.replace(
                /^(-?)(.*)$/,
                (_, minus, word) => `${minus}${word === alias ? name : word}`,
              ),
            );
            const first = canonical.find((entry) => entry === name || entry === `-${name}`);
            return first === undefined ? canonical.includes('*') : first === name;
          });
          assert.deepEqual(
            select(entries).controllers,
            want.map(({ name }) => name),
          );
        },
      ),
    );
  });
});
