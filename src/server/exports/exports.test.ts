import { spawnSync } from 'node:child_process';
import { mkdir, readdir, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { buffer, text } from 'node:stream/consumers';
import { parse } from 'csv-parse/sync';
import { getDocument, OPS } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { describe, expect, it } from 'vitest';
import type { ContributorMetrics, ContributorPullRequest } from '#contract/contributors.ts';
import { csvOf } from './csv.ts';
import { jsonOf } from './json.ts';
import { pdfOf } from './pdf.ts';
import { type ContributorReport, exportFileName } from './report.ts';

const someMetrics: ContributorMetrics = {
  username: 'ilse-m',
  display_name: 'Ilse Marten',
  avatar_url: null,
  kind: 'human',
  last_active: '2026-11-20T09:00:00Z',
  badges: [{ label: 'Fast Responder', reason: 'Median response 2.1 h' }],
  total_prs_opened: 12,
  total_prs_merged: 9,
  total_commits: 31,
  current_open_prs: 3,
  active_days: 17,
  prs_opened_trend: -25,
  prs_merged_trend: 12.5,
  avg_time_to_merge_hours: 22.4,
  time_to_merge_trend: -14,
  previous: { total_prs_opened: 16, total_prs_merged: 8, total_prs_reviewed: 22, avg_time_to_merge_hours: 26 },
  compared_with: { from: '2026-09-21T23:30:00Z', history_begins: '2025-05-01T00:00:00Z', import_complete: true },
  avg_pr_size: 168.3,
  pr_merge_rate: 0.9,
  avg_review_cycles: null,
  review_response_time_p50: 2.1,
  review_response_time_p75: 4,
  review_response_time_p95: null,
  total_prs_reviewed: 22,
  prs_reviewed_trend: 0,
  unique_developers_reviewed: 6,
  avg_review_response_time: 2.4,
  top_reviewed_by: [{ username: 'oren-t', avatar_url: null, count: 7 }],
  code_ownership_areas: [
    { path: 'src/ledger', percentage: 61.2 },
    { path: 'docs', percentage: 0.2 },
  ],
  stale_prs: [{ pr_number: 7, title: 'Old one', repo: 'brasswick/ledger', days_stale: 9, url: 'https://host/7' }],
  large_pr_frequency: 0.083,
  pr_size_distribution: { '0-50': 5, '51-200': 4, '201-500': 2, '501-1000': 1, '1000+': 0 },
  velocity_trend: [{ week: '2026-11-14', prs_opened: 3, prs_merged: 2 }],
  team_averages: {
    total_prs_opened: 4,
    total_prs_merged: 3,
    active_people: 16,
    period: {
      total_prs_opened: 4,
      total_prs_merged: 3,
      total_prs_reviewed: 8,
      avg_time_to_merge_hours: 30,
      avg_pr_size: 200,
      pr_merge_rate: 0.8,
      avg_review_cycles: 1.4,
      avg_review_response_time: 6,
    },
  },
  with_agents: null,
  activity_calendar: Array.from({ length: 84 }, (_, index) => ({
    date: new Date(Date.UTC(2026, 7, 30 + index)).toISOString().slice(0, 10),
    count: index % 5,
    level: index % 5,
  })),
};

const aPullRequest = (overrides: Partial<ContributorPullRequest> = {}): ContributorPullRequest => ({
  github_id: '1',
  pr_number: 1,
  title: 'Post settlement entries',
  state: 'merged',
  draft: false,
  repo_name: 'ledger',
  repo_owner: 'brasswick',
  reviewers: ['oren-t', 'paulina-k'],
  lines_changed: 51,
  created_at: '2026-11-10T08:00:00Z',
  ended_at: '2026-11-12T08:00:00Z',
  last_review_at: null,
  github_url: 'https://host/brasswick/ledger/pull/1',
  ...overrides,
});

const aReport = (pullRequests: readonly ContributorPullRequest[]): ContributorReport => ({
  metrics: someMetrics,
  pullRequests,
  period: '30d',
  repository: null,
  team: null,
  credit: null,
  generatedAt: new Date('2026-11-20T23:30:00Z'),
  timeZone: 'Europe/Berlin',
});

async function readPdf(report: ContributorReport): Promise<string[]> {
  const document = await getDocument({ data: new Uint8Array(await buffer(pdfOf(report))), verbosity: 0 }).promise;
  const pages: string[] = [];
  for (let number = 1; number <= document.numPages; number++) {
    const content = await (await document.getPage(number)).getTextContent();
    pages.push(content.items.map((item) => ('str' in item ? item.str : '')).join(' '));
  }
  return pages;
}

interface Glyph {
  /** Its number in the embedded font; 0 is the box of a letter that the font does not have. */
  readonly originalCharCode: number;
  readonly unicode: string;
}

/** The glyphs of the page with a title, from left to right. */
async function glyphsOf(title: string): Promise<Glyph[]> {
  const pdf = await buffer(pdfOf(aReport([aPullRequest({ title })])));
  const document = await getDocument({ data: new Uint8Array(pdf), verbosity: 0 }).promise;
  const { fnArray, argsArray } = await (await document.getPage(2)).getOperatorList();
  return argsArray
    .filter((_, at) => fnArray[at] === OPS.showText)
    .flatMap(([glyphs]) => glyphs as (Glyph | number)[])
    .filter((glyph) => typeof glyph !== 'number');
}

const wordsOn = (glyphs: readonly Glyph[]) => glyphs.map(({ unicode }) => unicode).join('');

describe('the exported file', () => {
  it('is named after the contributor and the day in their viewer’s zone', () => {
    expect(exportFileName(aReport([]), 'csv')).toBe('ilse-m_metrics_2026-11-21.csv');
  });

  it('holds no path or header tricks in its name', () => {
    const report = { ...aReport([]), metrics: { ...someMetrics, username: '../a"b\r\nc' } };

    expect(exportFileName(report, 'pdf')).toBe('..-a-b--c_metrics_2026-11-21.pdf');
  });
});

describe('the csv', () => {
  const read = async (changes: Partial<ContributorMetrics> = {}) => {
    const content = await buffer(csvOf({ ...aReport([]), metrics: { ...someMetrics, ...changes } }));
    expect(content.subarray(0, 3).toString('hex')).toBe('efbbbf');
    return parse(content, { columns: true, bom: true }) as Record<string, string>[];
  };
  const figure = (rows: readonly Record<string, string>[], name: string, part = '') =>
    rows.find((row) => row.figure === name && row.part === part);

  it('is one table that another parser reads: a row per figure, with whose and of what it is', async () => {
    const rows = await read();

    const context = { contributor: 'ilse-m', repository: 'all', team: 'all', period: '30d', as_of: '2026-11-21' };
    expect(rows.filter((row) => Object.entries(context).some(([name, value]) => row[name] !== value))).toEqual([]);
    expect(figure(rows, 'PRs opened')).toMatchObject({ value: '12', unit: 'count', change_percent: '-25' });
    expect(figure(rows, 'PRs opened, by lines changed', '51-200')).toMatchObject({ value: '4' });
    expect(figure(rows, 'PRs merged, by week', '2026-11-14')).toMatchObject({ value: '2' });
  });

  it('writes two decimals at most, four of a share', async () => {
    const rows = await read({
      avg_time_to_merge_hours: 22.418518518518,
      prs_opened_trend: 253.08641975308643,
      pr_merge_rate: 299 / 300,
    });

    expect(figure(rows, 'Time to merge, mean')?.value).toBe('22.42');
    expect(figure(rows, 'PRs opened')?.change_percent).toBe('253.09');
    expect(figure(rows, 'Merge rate')?.value).toBe('0.9967');
    const others = rows.filter(({ unit }) => unit !== 'share');
    expect(others.filter((row) => Object.values(row).some((cell) => /\.\d{3}/.test(cell)))).toEqual([]);
  });

  it.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1', 'Quotes " and, commas\nand lines'])(
    'holds the text %j of others in its cell, and defuses what a spreadsheet would run',
    async (username) => {
      const [first] = await read({ username });

      expect(first?.contributor).toBe(username.startsWith('Q') ? username : `'${username}`);
    },
  );

  it('leaves the cell of a figure empty that is based on nothing', async () => {
    expect(figure(await read(), 'Review cycles, mean')).toMatchObject({ value: '', change_percent: '' });
  });
});

describe('a report of a member of a team', { timeout: 60_000 }, () => {
  const report = { ...aReport([]), team: 'Payments & Ledger' };

  it('says in every format which team it is', async () => {
    const rows = parse(await buffer(csvOf(report)), { columns: true, bom: true }) as Record<string, string>[];
    expect(new Set(rows.map(({ team }) => team))).toEqual(new Set(['Payments & Ledger']));
    expect(JSON.parse(await text(jsonOf(report)))).toMatchObject({ team: 'Payments & Ledger' });
    const [first] = await readPdf(report);
    expect(first).toMatch(/· as a member of Payments\s+& Ledger/);
  });
});

describe('a report with pull requests of agents that somebody started', { timeout: 60_000 }, () => {
  const report: ContributorReport = { ...aReport([]), credit: 'started' };

  it('says so in every format, which others do not', async () => {
    const headsOf = async (of: ContributorReport) => {
      const csv = (await text(csvOf(of))).split('\r\n');
      const { metrics: _metrics, pull_requests: _prs, ...json } = JSON.parse(await text(jsonOf(of)));
      return { csv: csv.slice(0, 2), json, pdf: (await readPdf(of)).join() };
    };
    const [started, plain] = [await headsOf(report), await headsOf(aReport([]))];
    expect(started.csv[0]).toContain('"team","credit","period"');
    expect(started.csv[1]).toContain('"all","started","30d"');
    expect(started.json).toEqual({ ...plain.json, credit: 'started' });
    expect(started.pdf).toContain('with pull requests of agents that they started');
    expect(plain.csv[0]).toContain('"team","period"');
    expect(plain.json).not.toHaveProperty('credit');
    expect(plain.pdf).not.toContain('agents that they started');
  });

  it('says so in the head and at the foot of each page, as a member of which team, too', async () => {
    const team = 'Payments, Settlement and Ledger Platform';
    const repository = 'brasswick-financial-services/settlement-ledger-and-reconciliation';
    const long = { ...report, team, repository, pullRequests: [aPullRequest()] };
    const document = await getDocument({ data: new Uint8Array(await buffer(pdfOf(long))), verbosity: 0 }).promise;
    const wordsBetween = async (number: number, bottom: number, top: number) => {
      const { items } = await (await document.getPage(number)).getTextContent();
      return items
        .filter((item) => 'str' in item && item.transform[5] >= bottom && item.transform[5] < top)
        .map((item) => ('str' in item ? item.str : ''))
        .join(' ')
        .replaceAll(/\s+/g, ' ');
    };

    const counted = `@ilse-m · as a member of ${team} · with pull requests of agents that they started · `;
    const head = await wordsBetween(1, 700, 842);
    expect(head).toContain(`${counted}Last 30 days, ${repository} · as of 2026-11-21 (Europe/Berlin)`);
    for (const number of [1, 2]) expect(await wordsBetween(number, 0, 56)).toContain(`${counted}2026-11-21 · Last 30`);
  });
});

describe('a json of 10,000 pull requests', () => {
  it('is written no faster than it is read, whole to its last row', { timeout: 60_000 }, async () => {
    const rows = Array.from({ length: 10_000 }, (_, at) =>
      aPullRequest({ pr_number: at + 1, title: `Change ${at + 1}.` }),
    );
    const stream = jsonOf(aReport(rows));
    let mostUnread = 0;
    let content = '';

    for await (const chunk of stream) {
      mostUnread = Math.max(mostUnread, stream.readableLength);
      content += String(chunk);
    }

    expect(content.match(/Change \d+\./g)).toEqual(rows.map(({ title }) => title));
    // Either so many bytes, or so many parts of one row each.
    expect(mostUnread).toBeLessThan(128 * 1024);
  });
});

describe('the json', () => {
  it('holds the metrics and the pull requests as the API has them', async () => {
    const report = aReport([aPullRequest(), aPullRequest({ pr_number: 2 })]);

    const read = JSON.parse(await text(jsonOf(report)));

    expect(read).toMatchObject({ username: 'ilse-m', period: '30d', repository: null, team: null });
    expect(read.metrics).toEqual(someMetrics);
    expect(read.pull_requests).toEqual(report.pullRequests);
  });

  it('is complete without a single pull request', async () => {
    expect(JSON.parse(await text(jsonOf(aReport([])))).pull_requests).toEqual([]);
  });
});

describe('the pdf', { timeout: 60_000 }, () => {
  it('says who, which period, the figures and how many pages', async () => {
    const [first] = await readPdf(aReport([]));

    expect(first).toContain('Ilse Marten');
    expect(first).toContain('Last 30 days, all repositories');
    expect(first).toContain('22.4 h');
    expect(first).toContain('N/A');
    expect(first).toContain('Page 1 of 1');
  });

  it('lists every pull request under a head that repeats on each page', async () => {
    const many = Array.from({ length: 200 }, (_, index) =>
      aPullRequest({ pr_number: index + 1, title: `Change no. ${index + 1}.` }),
    );

    const pages = await readPdf(aReport(many));

    const tablePages = pages.slice(1);
    expect(tablePages.length).toBeGreaterThan(3);
    expect(tablePages.every((content) => content.includes('Pull request (200)'))).toBe(true);
    expect(many.filter(({ title }) => !tablePages.some((content) => content.includes(title)))).toEqual([]);
    expect(pages.at(-1)).toContain(`Page ${pages.length} of ${pages.length}`);
  });

  it('draws a long report no faster than it is read, and numbers every page', async () => {
    const many = Array.from({ length: 10_000 }, (_, index) => aPullRequest({ pr_number: index + 1 }));
    const pdf = pdfOf(aReport(many));
    let mostUnread = 0;
    const chunks: Buffer[] = [];

    for await (const chunk of pdf) {
      mostUnread = Math.max(mostUnread, pdf.readableLength);
      chunks.push(chunk as Buffer);
      await new Promise((later) => setImmediate(later));
    }

    const { numPages } = await getDocument({ data: new Uint8Array(Buffer.concat(chunks)), verbosity: 0 }).promise;
    expect(numPages).toBe(1 + Math.ceil(10_000 / 41));
    expect(mostUnread).toBeLessThan(512 * 1024);
  });

  it('holds the charts and a number on every page', async () => {
    const pages = await readPdf(aReport(Array.from({ length: 60 }, () => aPullRequest())));

    expect(pages[0]).toContain('Velocity: opened and merged per week');
    expect(pages[0]).toContain('PR size distribution');
    expect(pages[0]).toContain('Activity of the last 12 weeks');
    expect(pages.map((content, index) => content.includes(`Page ${index + 1} of ${pages.length}`))).toEqual(
      pages.map(() => true),
    );
  });

  it.each([
    ['Cyrillic and Greek', 'Исправить сборку Ελληνικά'],
    ['Chinese, simplified and traditional', '修正构建缺陷：簡體臺灣'],
    ['Japanese', 'テストを修正する「あ」'],
    ['Korean', '결제 빌드 수정합니다'],
    ['several faces in one line', 'Fix 構建 of 결제 now'],
    ['Thai', 'แก้ไขการชาระเงิน ที่นี่'],
    ['Hebrew', 'תיקון חשבונית'],
    ['Arabic', 'تسجيل خروج'],
  ])('shows letters beyond Latin: %s', async (_script, title) => {
    const pages = await readPdf(aReport([aPullRequest({ title })]));

    expect(pages[1]?.replaceAll(/\s/g, '')).toContain(title.replaceAll(/\s/g, ''));
  });

  it.each([
    'แก้ไขการชำระเงินที่ผิดพลาด น้ำ ผู้ใช้ 42%',
    'भुगतान की स्थिति: कर्म, प्रार्थना, विद्युत, ट्रैक। १२३',
    'إصلاح خطأ في حساب الفاتورة (v2.1)، ١٢٣',
    'تصحیح می‌شود: پرداخت‌های ۱۲۳۴ ریال',
    'ادائیگی کی رسید درست کریں (ٹیسٹ)',
    'בדיקה: "שָׁלוֹם" [ok] 100%',
    'Fix 構建 of 결제, แก้ไข, ठीक, إصلاح, תיקון',
  ])('has a glyph for every letter of %s', async (title) => {
    const glyphs = await glyphsOf(title);

    expect(glyphs.filter(({ originalCharCode }) => originalCharCode === 0)).toEqual([]);
  });

  it.each([
    ['תיקון', 'ןוקית'],
    ['Fix תיקון (API) now', 'Fix ןוקית (API) now'],
    ['תיקון API (גרסה 20)!', '!(20 הסרג) API ןוקית'],
    ['[תיקון] 20%', '20% [ןוקית]'],
    ['نص ١٢٣', '١٢٣ صن'],
    ['متن ۱۲۳', '۱۲۳ نتم'],
    ['\u202eabc\u202c', 'abc'],
  ])('sets %j in its own direction', async (title, fromLeft) => {
    expect(wordsOn(await glyphsOf(title))).toContain(fromLeft);
  });

  it('joins Arabic letters: alone, first, middle and last one differ', async () => {
    const forms = (await glyphsOf('ب ببب')).filter(({ unicode }) => unicode === 'ب');

    expect(forms).toHaveLength(4);
    expect(new Set(forms.map(({ originalCharCode }) => originalCharCode)).size).toBe(4);
  });

  it('forms Devanagari conjuncts and sets the vowel i before its consonant', async () => {
    const [conjunct = '', vowel = ''] = [wordsOn(await glyphsOf('क्ष')), wordsOn(await glyphsOf('कि'))];

    expect((await glyphsOf('क्ष')).filter(({ unicode }) => unicode.includes('क'))).toHaveLength(1);
    expect(conjunct).toContain('क्ष');
    expect(vowel).toContain('िक');
  });

  it('breaks a long title into two lines, between words, and cuts what is longer', async () => {
    const title = 'Use a single late stop alert in the exceptions list, and tell the dispatcher on duty';
    const thai = 'แก้ไขการชาระเงินที่ผิดพลาดและเพิ่มการทดสอบสาหรับระบบการ';

    const [, list = ''] = await readPdf(
      aReport([title, `${title} ${title}`, thai].map((title) => aPullRequest({ title }))),
    );

    expect(list.replaceAll(/\s+/g, ' ')).toContain(`${title} ledger #1`);
    expect(list.match(/…/g)).toHaveLength(1);
    expect(list.replaceAll(/\s/g, '')).toContain(thai);
  });

  it.each([
    ['a million letters', 'A'.repeat(1_000_000)],
    ['a million Arabic letters', 'ب'.repeat(1_000_000)],
    ['a pile of marks', `z${'\u0301'.repeat(10_000)}`],
    ['half a letter, control signs and open directions', '\ud83d \0\u0007\u202e\u2067\u2068 left'],
    ['nothing', ''],
  ])('takes a row for a title of %s, and the next one follows', async (_what, title) => {
    const pages = await readPdf(aReport([aPullRequest({ title }), aPullRequest({ title: 'The next one' })]));

    expect(pages).toHaveLength(2);
    expect(pages[1]).toContain('The next one');
    expect(pages[1]?.length).toBeLessThan(700);
  });

  it('shows a name in eastern letters as the title of the report', async () => {
    const metrics = { ...someMetrics, display_name: '山田 太郎' };

    const [first] = await readPdf({ ...aReport([]), metrics });

    expect(first?.replaceAll(' ', '')).toContain('山田太郎');
  });

  it('compares with the team, and says what the charts show in words', async () => {
    const [first] = await readPdf(aReport([]));

    for (const words of [
      'Team average 30.0 h',
      '↓ 14%',
      'vs 30 days before',
      'Less',
      'More',
      '75% have up to 200 lines, on the target of 70%.',
      'Active on varied days: 17 of the last 30 days (57%).',
      'Reviewed 22 PRs for 6 developers',
      'src/ledger: 61% of the merged lines',
      'docs: 0.2% of the merged lines',
      'Take up or close the stale pull request',
      'Old one',
    ])
      expect(first, words).toContain(words);
  });

  it.each([
    ['N/A', { import_complete: false }, {}, 'comparison follows'],
    ['N/A', { history_begins: '2026-09-30T08:00:00Z' }, {}, 'history begins Sept 2026'],
    ['few', {}, { total_prs_opened: 4, total_prs_merged: 3, total_prs_reviewed: 2 }, '4 in the 30 days before'],
  ])('shows no percentage against what is not there, and says why (%s)', async (_case, compared, before, reason) => {
    const metrics = {
      ...someMetrics,
      previous: { ...someMetrics.previous, ...before },
      compared_with: { ...someMetrics.compared_with, ...compared },
    };
    const report = { ...aReport([]), metrics };

    const [first] = await readPdf(report);
    expect(first).toContain(reason);
    expect(first).not.toMatch(/[↑↓]/);

    const rows: Record<string, string>[] = parse(await text(csvOf(report)), { columns: true, bom: true });
    expect(rows.length).toBeGreaterThan(20);
    expect(rows.filter(({ change_percent }) => change_percent !== '')).toEqual([]);
  });

  it.each([
    [0, 'Nothing merged in the period'],
    [3, 'mean of only 3 merged PRs'],
  ])('says of how few the mean time to merge is (%i)', async (total_prs_merged, words) => {
    const [first] = await readPdf({ ...aReport([]), metrics: { ...someMetrics, total_prs_merged } });

    expect(first).toContain(words);
    expect(first).not.toContain('of only 0');
  });

  it('draws a picture that looks like a report', async (test) => {
    if (spawnSync('pdftoppm', ['-v']).error) test.skip('pdftoppm is not installed');
    const folder = resolve(import.meta.dirname, '../../../test-artifacts');
    await mkdir(folder, { recursive: true });
    const pdf = await buffer(
      pdfOf(aReport([aPullRequest({ title: 'Fix 構建 of 결제' }), aPullRequest({ state: 'open' })])),
    );

    const { status } = spawnSync('pdftoppm', ['-r', '80', '-png', '-', `${folder}/report`], { input: pdf });

    expect(status).toBe(0);
    const pictures = (await readdir(folder)).filter((name) => /^report-\d\.png$/.test(name));
    expect(pictures).toHaveLength(2);
    for (const name of pictures) expect((await stat(join(folder, name))).size, name).toBeGreaterThan(5_000);
  });
});
