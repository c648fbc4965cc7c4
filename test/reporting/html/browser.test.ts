import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createStoryFold } from '../../../src/reporting/html/fold-story.ts';
import type { RunReport } from '../../../src/reporting/html/page-context.ts';
import { renderRunReport } from '../../../src/reporting/html/render-run-report.ts';
import { type Browser, type BrowserPage, findChromium, startBrowser } from '../../support/chromium.ts';
import { endlessEntries, hostileReport } from './hostile-run.ts';
import { lineOf, sampleReport } from './sample-run.ts';

const chromium = findChromium();
const widths = [390, 1280];
const schemes = ['light', 'dark'] as const;

describe.skipIf(chromium === null)('a report in a browser', () => {
  let browser: Browser;
  let folder: string;
  beforeAll(async () => {
    folder = mkdtempSync(path.join(tmpdir(), 'anode-report-'));
    browser = await startBrowser(chromium ?? '');
  });
  afterAll(async () => {
    await browser.close();
    rmSync(folder, { recursive: true });
  });

  function written(name: string, report: RunReport): string {
    const file = path.join(folder, `${name}.html`);
    writeFileSync(file, renderRunReport(report));
    return pathToFileURL(file).href;
  }

  async function look(page: BrowserPage, width: number, scheme: string): Promise<void> {
    const mobile = width < 500;
    await page.send('Emulation.setDeviceMetricsOverride', {
      width,
      height: 900,
      deviceScaleFactor: 1,
      mobile,
    });
    await page.send('Emulation.setEmulatedMedia', {
      features: [{ name: 'prefers-color-scheme', value: scheme }],
    });
  }

  it.for(['honest', 'hostile'])('displays a run %s at each width, in light and dark', async (kind) => {
    const page = await browser.newPage();
    const url = written(kind, kind === 'honest' ? sampleReport() : hostileReport());
    const seen: unknown[] = [];
    const pictures = new Set<string>();
    const looks = widths.flatMap((width) => schemes.map((scheme) => ({ width, scheme })));
    // What strangers write does not look at the colours: one of both at each width will do.
    const chosen = kind === 'honest' ? looks : looks.filter((_, index) => index === 1 || index === 2);
    for (const { width, scheme } of chosen) {
      await look(page, width, scheme);
      await page.open(url);
      await page.evaluate('document.querySelectorAll("details").forEach((one) => { one.open = true; })');
      const picture = await page.send('Page.captureScreenshot', {
        format: 'png',
        captureBeyondViewport: true,
      });
      pictures.add(String(picture.data));
      seen.push(await page.evaluate(whatIsWrong));
    }
    expect(seen).toEqual(
      seen.map(() => ({ tooWide: [], active: [], faint: [], hacked: 'undefined', heading: 1 })),
    );
    expect({ pictures: pictures.size, complaints: page.complaints, requests: page.requests }).toEqual({
      ...{ pictures: chosen.length, complaints: [], requests: [] },
    });
  });

  it('loads and runs nothing, whatever is inserted into the page', async () => {
    const page = await browser.newPage();
    await page.open(written('policy', sampleReport()));
    await page.evaluate(`document.body.insertAdjacentHTML('beforeend',
      '<img src="https://evil.example/a.png"><p id="styled" style="color: rgb(1, 2, 3)">x</p><svg onload="window.hacked = 1"></svg><style>body { color: rgb(1, 2, 3) }</style>')`);
    const styled = await page.evaluate(
      '[getComputedStyle(document.body).color, getComputedStyle(styled).color].includes("rgb(1, 2, 3)")',
    );
    await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
    expect({ styled, hacked: await page.evaluate('typeof window.hacked') }).toEqual({
      styled: false,
      hacked: 'undefined',
    });
    expect(page.complaints.some((one) => one.includes('Content Security Policy'))).toBe(true);
  });

  it('works with the keyboard alone, and filters calls without a script', async () => {
    const page = await browser.newPage();
    await look(page, 1280, 'light');
    await page.open(written('keys', sampleReport()));
    const press = async (key: string, text = '') => {
      await page.send('Input.dispatchKeyEvent', {
        type: 'keyDown',
        key,
        code: key,
        text,
        windowsVirtualKeyCode: key === 'Tab' ? 9 : 13,
      });
      await page.send('Input.dispatchKeyEvent', { type: 'keyUp', key, code: key });
    };
    await press('Tab');
    const first = await page.evaluate('document.activeElement.textContent');
    await page.evaluate('document.querySelector(".call > summary").focus()');
    await press('Enter', '\r');
    const open = await page.evaluate('document.querySelector(".call").open');
    const shown = '[...document.querySelectorAll(".call")].filter((one) => one.checkVisibility()).length';
    const counts = [await page.evaluate(shown)];
    for (const id of ['show-trouble', 'show-changes']) {
      await page.evaluate(`document.getElementById(${JSON.stringify(id)}).click()`);
      counts.push(await page.evaluate(shown));
    }
    expect({ first, open, counts }).toEqual({ first: 'Skip to the report', open: true, counts: [8, 2, 3] });
  });

  it('opens a very long run quickly enough to read it', async () => {
    const fold = createStoryFold();
    let seq = 0;
    for (const entry of endlessEntries(500, 2, '<output>\n'.repeat(300))) fold.add(lineOf(entry, ++seq));
    const page = await browser.newPage();
    await look(page, 390, 'light');
    await page.open(written('endless', sampleReport(undefined, { story: fold.story() })));
    expect(await page.evaluate('document.querySelectorAll("#turn-500, #tokens-title").length')).toBe(2);
    expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBe(0);
    expect(page.complaints).toEqual([]);
  });
});

/**
 * What a page must not have: parts wider than the window, elements that act, text too faint to read (WCAG 2.2, "Contrast
 * (Minimum)": 4.5 to 1), and effects of what tried to run.
 */
const whatIsWrong = `(() => {
  const all = [...document.querySelectorAll('body *')];
  const name = (one) => one.tagName + '.' + (one.getAttribute('class') ?? '');
  const numbers = (color) => color.match(/[\\d.]+/g).map(Number);
  const light = (color) => {
    const [r, g, b] = numbers(color).map((part) => part / 255).map((part) => part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const behind = (one) => {
    for (let at = one; at !== null; at = at.parentElement) {
      const color = getComputedStyle(at).backgroundColor;
      if ((numbers(color)[3] ?? 1) > 0) return color;
    }
    return 'rgb(255, 255, 255)';
  };
  const words = all.filter((one) => one.checkVisibility() && [...one.childNodes].some((node) => node.nodeType === 3 && node.data.trim() !== '') && !one.closest('svg, .sr, .skip'));
  const faint = words.filter((one) => {
    const [a, b] = [light(getComputedStyle(one).color), light(behind(one))].sort((x, y) => y - x);
    return (a + 0.05) / (b + 0.05) < 4.5;
  });
  return {
    tooWide: document.documentElement.scrollWidth > innerWidth ? all.filter((one) => one.getBoundingClientRect().right > innerWidth + 1).map(name).slice(0, 5) : [],
    active: [...document.querySelectorAll('script, iframe, img, object, embed, form, base, video, audio, link:not([rel=icon]), [style]'), ...all.filter((one) => one.getAttributeNames().some((attribute) => attribute.startsWith('on')))].map(name),
    faint: [...new Set(faint.map((one) => name(one) + ' in ' + name(one.parentElement)))].slice(0, 8),
    hacked: typeof window.hacked,
    heading: document.querySelectorAll('h1').length,
  };
})()`;
