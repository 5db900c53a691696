import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { readConfig, warningsOf } from '../src/server/config.ts';
import { copiedFromBuild, copiedFromContext, instructions, productionPackages } from './support/image.ts';

const read = (file: string) => readFileSync(file, 'utf8');
const settings = new Set([...read('src/server/config.ts').matchAll(/^ {2}([A-Z][A-Z_]+):/gm)].map(([, name]) => name!));
/** How long a stop takes at most, in seconds (docs/operating.md#health-backup-upgrade). */
const STOP = 10;

interface Pod {
  readonly automountServiceAccountToken: boolean;
  readonly terminationGracePeriodSeconds: number;
  readonly securityContext: object;
  readonly containers: readonly {
    readonly image: string;
    readonly env: readonly { name: string; value: string }[];
    readonly ports: readonly { name: string; containerPort: number }[];
    readonly startupProbe: Probe;
    readonly livenessProbe: Probe;
    readonly readinessProbe: Probe;
    readonly resources: object;
    readonly securityContext: object;
    readonly volumeMounts?: unknown;
  }[];
}
interface Probe {
  readonly httpGet: { readonly path: string; readonly port: string };
  readonly periodSeconds: number;
  readonly failureThreshold?: number;
}
interface Resource {
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string };
  readonly data?: Readonly<Record<string, string>>;
  readonly spec: {
    readonly replicas: number;
    readonly minAvailable: number;
    readonly selector: { readonly matchLabels: object };
    readonly strategy: unknown;
    readonly template: { readonly metadata: { readonly labels: object }; readonly spec: Pod };
    readonly ports: readonly { readonly targetPort: string }[];
  };
}

const resources = parseAllDocuments(read('deploy/kubernetes.yaml')).map((document): Resource => {
  expect(document.errors).toEqual([]);
  return document.toJS();
});
const ofKind = (kind: string) => resources.filter((resource) => resource.kind === kind);
const [config] = ofKind('ConfigMap');
const secret = {
  SECRET_KEY: Buffer.alloc(32).toString('base64'),
  DATABASE_URL: 'postgresql://mergelight@db/mergelight',
};

test('the Dockerfile copies what there is and what the server needs, runs unprivileged and holds no build tools', () => {
  const copied = [...copiedFromBuild(), ...copiedFromContext()].map(([from]) => from);
  const made = ['dist', 'node_modules', 'sbom.spdx.json'];

  expect(copied.filter((path) => !existsSync(path) && !made.includes(path))).toEqual([]);
  for (const room of ['server', 'domain', 'contract', 'simulator']) expect(copied).toContain(`src/${room}`);
  expect(copied).toEqual(expect.arrayContaining(['package.json', 'docs', ...made]));
  expect(copied.filter((path) => /web|test|scripts|lock/.test(path))).toEqual([]);
  const packages = productionPackages();
  expect(packages).toContain('node_modules/pg');
  for (const tool of ['vite', 'typescript', 'node', 'playwright', 'vitest'])
    expect(packages).not.toContain(`node_modules/${tool}`);
  expect(instructions('USER')).toEqual(['1000:1000']);
  expect(instructions('CMD')).toEqual(['["node", "src/server/main.ts"]']);
  expect(instructions('RUN').join()).toMatch(/^rm -rf .*node_modules.*\/npm .*\/npx .*corepack/);
  expect(instructions('EXPOSE')).toEqual([String(readConfig({}, '/app', false).port)]);
  expect(instructions('HEALTHCHECK').join()).toContain('/healthz');
});

test('the unit for systemd is started again however often it failed, and not killed while it stops', () => {
  const unit = /```ini\n(\[Unit\][\s\S]*?)```/.exec(read('docs/operating.md'))![1]!;
  const [before = '', service = ''] = unit.split('[Service]');

  expect(before).toMatch(/^\[Unit\]\n[^[]*^StartLimitIntervalSec=0$/m);
  expect(service).toContain('\nRestart=on-failure\n');
  expect(Number(/^RestartSec=(\d+)$/m.exec(service)?.[1])).toBeGreaterThanOrEqual(1);
  expect(Number(/^TimeoutStopSec=(\d+)$/m.exec(service)?.[1])).toBeGreaterThan(STOP);
  // Else `systemctl enable` does nothing.
  expect(service).toMatch(/\n\[Install\]\nWantedBy=multi-user\.target\n$/);
});

test('every package that the server imports is one that the image has', () => {
  const { dependencies } = JSON.parse(read('package.json')) as { dependencies: Record<string, string> };
  const files = ['server', 'domain', 'contract', 'simulator'].flatMap((room) =>
    readdirSync(`src/${room}`, { recursive: true })
      .map((name) => `src/${room}/${name}`)
      .filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts')),
  );
  const imported = files.flatMap((file) =>
    [...read(file).matchAll(/^(?:import|export)(?! type)[^;]*? from '([^.#'][^']*)'|import\('([^.#'][^']*)'\)/gm)].map(
      ([, fixed, dynamic]) => /^(@[^/]+\/)?[^/]+/.exec(fixed ?? dynamic ?? '')![0],
    ),
  );

  expect(imported).toContain('pdfkit');
  const unknown = new Set(imported.filter((name) => !name.startsWith('node:') && !Object.hasOwn(dependencies, name)));
  expect([...unknown]).toEqual([]);
});

test('the image gets the settings that npm start gives, and others that exist', () => {
  const given = instructions('ENV').flatMap((line) => line.split(/\s+/).map((pair) => pair.split('=')[0]!));
  const ofNode = ['NODE_ENV', 'NODE_OPTIONS', 'MALLOC_MMAP_THRESHOLD_'];

  expect(given.filter((name) => !settings.has(name) && !ofNode.includes(name))).toEqual([]);
  const sparing = read('scripts/bootstrap.js');
  expect(sparing).toContain('--max-semi-space-size=8');
  expect(instructions('ENV').join()).toContain('NODE_OPTIONS=--max-semi-space-size=8');
  expect(sparing).toContain('String(64 * 1024)');
  expect(instructions('ENV').join()).toContain(`MALLOC_MMAP_THRESHOLD_=${64 * 1024}`);
});

test('all that the image copies from here gets past .dockerignore', () => {
  const allowed = read('.dockerignore')
    .split('\n')
    .filter((line) => line.startsWith('!'))
    .map((line) => line.slice(1).replace('.*', ''));
  const wanted = read('Dockerfile')
    .split('\n')
    .filter((line) => /^COPY (?!--from)/.test(line))
    .flatMap((line) => line.split(/\s+/).slice(1, -1));

  expect(wanted.filter((path) => !existsSync(path))).toEqual([]);
  expect(wanted.filter((path) => !allowed.some((one) => path.startsWith(one)))).toEqual([]);
});

test('the compose file starts a web process and a worker with all that deploy/.env sets, each with a read-only root and without privileges', () => {
  const { services } = parse(read('deploy/compose.yaml'), { merge: true }) as {
    services: Record<string, Record<string, unknown> & { environment: Record<string, string>; healthcheck?: object }>;
  };
  const own = ['DATABASE_URL', 'HOST', 'PORT', 'ROLE', 'SECRET_KEY', 'SHUTDOWN_DELAY'];
  const { web, worker, postgres } = services as { web: never; worker: never; postgres: never } & typeof services;

  expect(Object.keys(services)).toEqual(['web', 'worker', 'postgres']);
  for (const [role, service] of Object.entries({ web: web!, worker: worker! } as typeof services)) {
    expect(service).toMatchObject({ read_only: true, user: '1000:1000', cap_drop: ['ALL'] });
    expect(service.security_opt).toEqual(['no-new-privileges:true']);
    expect(service.depends_on).toEqual({ postgres: { condition: 'service_healthy' } });
    // Whatever else the file said would hide what .env says.
    expect(service.env_file).toEqual([{ path: '.env', required: false }]);
    expect(Object.keys(service.environment).filter((name) => !own.includes(name))).toEqual([]);
    const said = { ALLOWED_LOGINS: 'mona', PORT: '8080', SHUTDOWN_DELAY: '60' };
    const its = readConfig({ ...said, ...filled(service.environment) }, '/app', false);
    expect(its).toMatchObject({ ...{ role, host: '0.0.0.0', port: 3000, allowed_logins: ['mona'] } });
    expect(warningsOf(its)).toEqual([]);
    const grace = Number.parseInt(String(service.stop_grace_period), 10);
    expect(grace).toBeGreaterThanOrEqual(its.shutdown_delay / 1000 + STOP);
  }
  expect((web as { ports: string[] }).ports).toEqual(['127.0.0.1:3000:3000']);
  // One service builds the image, and the other takes what is there.
  expect([web!, worker!]).toMatchObject([{ build: { context: '..' } }, { pull_policy: 'never' }]);
  expect(worker).not.toHaveProperty('build');
  expect((worker as { image: string }).image).toBe((web as { image: string }).image);
  expect((postgres as { healthcheck: { test: string[] } }).healthcheck.test).toEqual(
    expect.arrayContaining(['pg_isready', '--host=127.0.0.1']),
  );
});

/** As Compose fills in what deploy/.env says. */
function filled(environment: Readonly<Record<string, string>>): Record<string, string> {
  const said: Record<string, string> = { POSTGRES_PASSWORD: 'p', SECRET_KEY: secret.SECRET_KEY };
  const fill = (text: string) => text.replaceAll(/\$\{(\w+):\?[^}]*\}/g, (_, name: string) => said[name]!);
  return Object.fromEntries(Object.entries(environment).map(([name, text]) => [name, fill(String(text))]));
}

test('on Kubernetes two web processes and two workers run with settings that exist, unprivileged, on a read-only root', () => {
  const deployments = ofKind('Deployment');

  expect(deployments.map(({ metadata }) => metadata.name)).toEqual(['mergelight-web', 'mergelight-worker']);
  expect(Object.keys(config!.data!).filter((name) => !settings.has(name))).toEqual([]);
  for (const { metadata, spec } of deployments) {
    const pod = spec.template.spec;
    const [container, ...more] = pod.containers;
    const env = Object.fromEntries(container!.env.map(({ name, value }) => [name, value]));
    expect(more).toEqual([]);
    expect(Object.keys(env).filter((name) => !settings.has(name))).toEqual([]);
    expect(`mergelight-${readConfig({ ...config!.data, ...secret, ...env }, '/app', false).role}`).toBe(metadata.name);
    expect(spec).toMatchObject({ replicas: 2, strategy: { rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } } });
    expect(spec.template.metadata.labels).toEqual(spec.selector.matchLabels);
    expect(pod).toMatchObject({
      automountServiceAccountToken: false,
      securityContext: { runAsNonRoot: true, runAsUser: 1000, seccompProfile: { type: 'RuntimeDefault' } },
    });
    expect(container!.securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    });
    // With DATABASE_URL nothing is written: nothing has to be mounted.
    expect(container!.volumeMounts).toBeUndefined();
    expect(container!.ports).toEqual([{ name: 'http', containerPort: Number(instructions('EXPOSE')[0]) }]);
  }
});

test('probes ask where the server answers, and a process that is told to stop has the time that it takes', () => {
  for (const { spec } of ofKind('Deployment')) {
    const { containers, terminationGracePeriodSeconds } = spec.template.spec;
    const { startupProbe, livenessProbe, readinessProbe, env } = containers[0]!;
    const delay = Number(env.find(({ name }) => name === 'SHUTDOWN_DELAY')?.value ?? 0);

    expect([startupProbe, livenessProbe, readinessProbe].map(({ httpGet }) => httpGet)).toEqual([
      { path: '/healthz', port: 'http' },
      { path: '/healthz', port: 'http' },
      { path: '/readyz', port: 'http' },
    ]);
    expect(terminationGracePeriodSeconds).toBeGreaterThan(delay + STOP);
    if (delay > 0) expect(delay).toBeGreaterThan(readinessProbe.periodSeconds * readinessProbe.failureThreshold!);
  }
  expect(ofKind('Service')[0]!.spec.ports[0]!.targetPort).toBe('http');
});

test('the budget of connections holds for the processes of an upgrade, of which all old ones may still be leaving when all new ones are there', () => {
  const budget = ofKind('Deployment').map(({ metadata, spec }) => {
    const listening = metadata.name === 'mergelight-web' ? 1 : 0;
    return [spec.replicas, Number(config!.data!.DATABASE_CONNECTIONS) + listening] as const;
  });
  const processes = budget.map(([replicas, connections]) => `${replicas} × ${connections}`).join(' + ');
  const more = budget.reduce((sum, [replicas, connections]) => sum + replicas * connections, 0);

  const [, told] = /The budget of connections is ([^:]+):/.exec(read('docs/operating.md'))!;
  expect(told!.replaceAll(/\s+/g, ' ')).toBe(`${processes}, and ${more} more during an upgrade`);
});

test('draining nodes leaves a process of each kind, and no secret stands in the files', () => {
  const labels = ofKind('Deployment').map(({ spec }) => spec.selector.matchLabels);

  expect(ofKind('PodDisruptionBudget').map(({ spec }) => spec.selector.matchLabels)).toEqual(labels);
  for (const { spec } of ofKind('PodDisruptionBudget')) expect(spec.minAvailable).toBe(1);
  expect(ofKind('Secret')).toEqual([]);
  const inNamespace = resources.filter(({ kind }) => kind !== 'Namespace');
  expect(new Set(inNamespace.map(({ metadata }) => metadata.namespace))).toEqual(new Set(['mergelight']));
});
