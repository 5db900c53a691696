import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';

test('the front end is built again where what it is made of is another, whatever the dates of its files, and only then', () => {
  const root = mkdtempSync(join(tmpdir(), 'mergelight-checkout-'));
  try {
    const long_ago = new Date('2020-01-01T00:00:00Z');
    const put = (name: string, text: string) => {
      mkdirSync(dirname(join(root, name)), { recursive: true });
      writeFileSync(join(root, name), text);
      utimesSync(join(root, name), long_ago, long_ago);
    };
    const vite = `import { mkdirSync, writeFileSync } from 'node:fs';
      mkdirSync('dist/web', { recursive: true }); writeFileSync('dist/web/index.html', '');`;
    put('package.json', '{ "type": "module" }');
    put('node_modules/vite/bin/vite.js', vite);
    for (const name of ['src/web/main.tsx', 'src/domain/facts.ts', 'src/contract/team.ts']) put(name, 'as it was');
    for (const name of ['vite.config.ts', 'package-lock.json']) put(name, 'as it was');
    cpSync(resolve('scripts/bootstrap.js'), join(root, 'scripts/bootstrap.js'));
    const isBuilt = () => {
      const program = "const { ensureBuilt } = await import('./scripts/bootstrap.js'); ensureBuilt();";
      const { status, stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', program], {
        cwd: root,
        encoding: 'utf8',
      });
      expect([status, stdout]).toEqual([0, '']);
      return stderr.includes('Building the front end');
    };

    expect([isBuilt(), isBuilt()]).toEqual([true, false]);
    put('src/domain/facts.ts', 'as the next version has it');
    expect([isBuilt(), isBuilt()]).toEqual([true, false]);
    put('src/domain/facts.ts', 'as it was');
    put('dist/web/index.html', 'by another command, of something else');
    utimesSync(join(root, 'dist/web/index.html'), new Date(), new Date(Date.now() + 60_000));
    expect(isBuilt()).toBe(true);
  } finally {
    rmSync(root, { recursive: true });
  }
});

test('packages are installed without a word on standard output, which is the command’s own', () => {
  const root = mkdtempSync(join(tmpdir(), 'mergelight-checkout-'));
  try {
    mkdirSync(join(root, 'scripts'));
    cpSync(resolve('scripts/bootstrap.js'), join(root, 'scripts/bootstrap.js'));
    writeFileSync(join(root, 'package.json'), '{ "type": "module" }');
    writeFileSync(join(root, 'npm.js'), "console.log('added 1 package')");
    const program = "const { ensureInstalled } = await import('./scripts/bootstrap.js'); ensureInstalled();";
    const { status, stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', program], {
      cwd: root,
      encoding: 'utf8',
      env: { ...process.env, npm_execpath: join(root, 'npm.js') },
    });

    expect([status, stdout]).toEqual([0, '']);
    expect(stderr).toBe('Installing packages …\nadded 1 package\n');
  } finally {
    rmSync(root, { recursive: true });
  }
});

describe('of two starts in one folder', () => {
  /** A folder whose packages are installed once `arrive` was called, with a word for each installation. */
  const openFolder = () => {
    const root = mkdtempSync(join(tmpdir(), 'mergelight-checkout-'));
    onTestFinished(() => rmSync(root, { recursive: true }));
    const npm = `import { appendFileSync, cpSync, existsSync } from 'node:fs';
      appendFileSync('installations', 'one ');
      while (!existsSync('arrived')) await new Promise((resolve) => setTimeout(resolve, 20));
      cpSync('package-lock.json', 'node_modules/.package-lock.json');`;
    const files = { 'package.json': '{ "type": "module" }', 'package-lock.json': '{ "packages": {} }', 'npm.js': npm };
    for (const [name, text] of Object.entries(files)) writeFileSync(join(root, name), text);
    cpSync(resolve('scripts/bootstrap.js'), join(root, 'scripts/bootstrap.js'));
    return {
      lock: join(root, '.setup-lock'),
      arrive: () => writeFileSync(join(root, 'arrived'), ''),
      installations: () => readFileSync(join(root, 'installations'), 'utf8'),
      start() {
        const program = "const { ensureInstalled } = await import('./scripts/bootstrap.js'); ensureInstalled();";
        const env = { ...process.env, npm_execpath: join(root, 'npm.js') };
        const child = spawn(process.execPath, ['--input-type=module', '-e', program], { cwd: root, env });
        let said = '';
        child.stderr.setEncoding('utf8').on('data', (text) => {
          said += text;
        });
        return { said: () => said, status: once(child, 'close').then(([status]) => status) };
      },
    };
  };

  test('one installs, and the other says that it waits and goes on with what is there', async () => {
    const folder = openFolder();
    const starts = [folder.start(), folder.start()];
    const said = () => starts.map((start) => start.said().replace(/process \d+ on .+/, '…'));

    await expect.poll(() => said().sort(), { timeout: 20_000 }).toEqual(['Installing packages …\n', 'Waiting for …\n']);
    folder.arrive();

    expect(await Promise.all(starts.map(({ status }) => status))).toEqual([0, 0]);
    expect(folder.installations()).toBe('one ');
    expect(existsSync(folder.lock)).toBe(false);
  });

  test('one that was killed keeps nobody waiting', async () => {
    const folder = openFolder();
    folder.arrive();
    const { pid } = spawnSync(process.execPath, ['--version']);
    writeFileSync(folder.lock, `process ${pid} on ${hostname()}`);

    const starts = [folder.start(), folder.start()];

    expect(await Promise.all(starts.map(({ status }) => status))).toEqual([0, 0]);
    expect(folder.installations()).toBe('one ');
    expect(existsSync(folder.lock)).toBe(false);
  });

  test('one on another machine is waited for, a quarter of an hour at most', async () => {
    const folder = openFolder();
    folder.arrive();
    writeFileSync(folder.lock, 'process 1 on another-machine');
    const start = folder.start();
    await expect.poll(start.said).toContain('Waiting for process 1 on another-machine');

    const longAgo = new Date(Date.now() - 16 * 60_000);
    utimesSync(folder.lock, longAgo, longAgo);

    expect(await start.status).toBe(0);
    expect(folder.installations()).toBe('one ');
  });
});
