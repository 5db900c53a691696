/*
 * Many people at once, while 20 repositories are imported: 200 on one PostgreSQL with two web and two worker processes, or with `--embedded`
 * 30 on one process with the embedded database. Each has a stream of events open and looks at one screen after the other, with 5 to 25
 * seconds between them. `npm run bench load [-- --people N] [--minutes N] [--embedded]`: five minutes by default; `--minutes 60` for whether
 * memory stays flat. Leaves `bench/load.md`, in which the kinds of installation and of run are kept beside each other. Fails where a call failed,
 * or is slower or memory grows more than the report allows.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { constants, cpus, loadavg, setPriority } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { IMPORTER, startCompany } from '../test/support/company.ts';
import { clientOf } from './load/client.ts';
import { connect, importUntil, type Session, sightsOf, signIn } from './load/company.ts';
import { countCores } from './load/cores.ts';
import { sampleMemory } from './load/memory.ts';
import { lookAlone, lookAround } from './load/people.ts';
import { type LoadResult, reportOf } from './load/report.ts';
import { startEmbedded, startSeveral } from './load/site.ts';
import { Timings } from './load/timings.ts';

/** Of the simulated company, 200 in each of its busy repositories. */
const PULL_REQUESTS = 60_000;
/** Repositories whose history is there before, and that are imported while people look. */
const REPOSITORIES = { before: 100, meanwhile: 20 } as const;
/** How often each screen is looked at by one person alone, after as many times that are not measured. */
const ROUNDS = 10;
/** A run of at least this many minutes judges memory, and has a section of its own in the report. */
const LONG = 30;
/** In milliseconds. */
const SAMPLE_EVERY = 5000;
const SIGN_IN_AT_ONCE = 5;
/** What the simulated host takes for each question while people look, as GitHub does at least. */
const HOST_TAKES = 500;

const { values } = parseArgs({
  options: {
    people: { type: 'string' },
    minutes: { type: 'string', default: '5' },
    embedded: { type: 'boolean', default: false },
    'pull-requests': { type: 'string', default: String(PULL_REQUESTS) },
  },
});
const people = Number(values.people ?? (values.embedded ? 30 : 200));
const minutes = Number(values.minutes);
const pullRequests = Number(values['pull-requests']);
if (!(people >= 1 && people <= 600 && Number.isInteger(people) && minutes > 0 && pullRequests >= 300)) {
  console.error(
    'Usage: npm run bench load [-- --people N] [--minutes N] [--embedded] [--pull-requests N], people up to 600, pull requests of the whole company from 300 up',
  );
  process.exit(1);
}

const began = performance.now();
const result = await measure();
const { text, failures } = reportOf(result);
console.log(text);
write(text);
if (failures.length > 0) {
  console.error(`Not kept:\n  ${failures.join('\n  ')}`);
  process.exitCode = 1;
}

async function measure(): Promise<LoadResult> {
  const logins = Array.from({ length: people }, (_, at) => `dev-${at + 1}`);
  const { simulator, busy } = await startCompany(pullRequests, logins, ['--no-limits']);
  // It stands for a host elsewhere: what it takes must not be missing here.
  setPriority(simulator.pid, constants.priority.PRIORITY_LOW);
  const site = await (values.embedded ? startEmbedded : startSeveral)(simulator.url);
  try {
    const meanwhile = busy.slice(0, REPOSITORIES.meanwhile);
    const before = busy.slice(REPOSITORIES.meanwhile, REPOSITORIES.meanwhile + REPOSITORIES.before);
    const importer = await signIn(site.url, IMPORTER);
    await connect(importer, before, true);
    tell(`imported ${before.length} repositories`);
    const sessions = await signInAll(site.url, logins, [...before, ...meanwhile]);
    tell(`${people} people are signed in`);
    await simulator.control('faults', {
      match: { kind: 'graphql' },
      effect: { name: 'latency', milliseconds: HOST_TAKES },
    });
    const sights = await sightsOf(importer);
    const clients = sessions.map(({ cookie }) => clientOf(site.url, cookie));
    const idle = new Timings();
    await lookAlone(clients[0]!, sights, ROUNDS, new Timings());
    await lookAlone(clients[0]!, sights, ROUNDS, idle);
    tell('one person has looked at everything');

    const loaded = new Timings();
    const end = new AbortController();
    const memory = sampleMemory(site.processes, SAMPLE_EVERY);
    const coresOf = countCores(site, simulator.pid);
    const start = performance.now();
    const importing = importUntil(importer, meanwhile, end.signal);
    const looking = clients.map((client) => lookAround(client, sights, loaded, end.signal));
    await Promise.race([pause(minutes * 60_000), importing]);
    const seconds = (performance.now() - start) / 1000;
    const cores = coresOf();
    end.abort();
    await Promise.all(looking);
    memory.stop();
    tell(`${loaded.total} calls`);
    for (const failure of new Set(site.failures)) console.error(failure);
    for (const { name, server } of site.processes) if (server.output !== '') console.error(`${name}: ${server.output}`);
    const kind = values.embedded
      ? 'One process with the embedded database'
      : 'Two web and two worker processes on PostgreSQL';
    const title = minutes >= LONG ? `${kind}, ${minutes} minutes` : kind;
    return { title, people, seconds, idle, loaded, imported: await importing, memory, cores };
  } finally {
    await site.stop();
    await simulator.stop();
  }
}

/** A few at a time. */
async function signInAll(url: string, logins: readonly string[], repositories: readonly string[]): Promise<Session[]> {
  const sessions: Session[] = [];
  for (let first = 0; first < logins.length; first += SIGN_IN_AT_ONCE) {
    const group = logins.slice(first, first + SIGN_IN_AT_ONCE);
    sessions.push(
      ...(await Promise.all(
        group.map(async (login) => {
          const session = await signIn(url, login);
          await connect(session, repositories, false);
          return session;
        }),
      )),
    );
  }
  return sessions;
}

/** Puts a section in the place of the one with the same heading. */
function write(section: string): void {
  const file = join(import.meta.dirname, 'load.md');
  const earlier = existsSync(file)
    ? readFileSync(file, 'utf8')
        .split(/^(?=## )/m)
        .slice(1)
    : [];
  const headingOf = (of: string) => of.slice(0, of.indexOf('\n'));
  const beside = values.embedded
    ? 'the simulated host and the people'
    : 'the simulated host, the people and PostgreSQL';
  const conditions = `On ${cpus().length} cores (${cpus()[0]?.model.trim()}), Node ${process.versions.node}, on which ${beside} ran, too${values.embedded ? '' : ', each process of the server with a share of the processor of its own, as a service has'}; load at the end ${loadavg()[0]!.toFixed(1)}.`;
  const [heading, ...rest] = section.split('\n');
  const newest = [heading, '', conditions, ...rest, ''].join('\n');
  const kept = earlier.filter((one) => headingOf(one) !== heading).map((one) => one.trimEnd());
  const sections = [newest.trimEnd(), ...kept].toSorted((a, b) => headingOf(b).localeCompare(headingOf(a)));
  writeFileSync(
    file,
    `# Many people at once

\`npm run bench load\`: people who each have a stream of events open and look at one screen after the other, with 5 to 25 seconds between
them, while ${REPOSITORIES.meanwhile} repositories are imported and read again from the beginning over and over, ${REPOSITORIES.before} having been imported before, each of ${Math.round(pullRequests / 300)}
pull requests, of a host that takes ${HOST_TAKES} ms for each question. Both databases write with fsync. The idle median is that of one person who
looks at every screen alone. No call may fail, and the 99th percentile may be ten times the idle median, where there are a hundred calls of a
kind or more: of fewer it is not judged. Memory is what is resident.

${sections.join('\n\n')}
`,
  );
}

function tell(what: string): void {
  console.log(`${((performance.now() - began) / 1000).toFixed(0).padStart(4)} s  ${what}`);
}
