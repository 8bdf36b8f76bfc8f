/** Charts as SVG, without a browser. The same chart gives the same bytes. The plotting library is loaded when it is needed. */
import type { Chart } from './chart.js';
import { optionOf, sizeOf } from './option.js';

/** A drawing of its own, with its colours: it follows a reader's light or dark. */
export async function svgFile(chart: Chart): Promise<string> {
  const style =
    '<style>svg{color:#1f2328;background:#fff}@media(prefers-color-scheme:dark){svg{color:#e6edf3;background:#0d1117}}</style>';
  const drawing = await svgOf(chart);
  const at = drawing.indexOf('>') + 1;
  return `${drawing.slice(0, at)}${style}${drawing.slice(at)}\n`;
}

/** To stand in a page, in the colours of its text. */
export async function svgOf(chart: Chart): Promise<string> {
  const plots = await library();
  const drawn = plots.init(null, null, { renderer: 'svg', ssr: true, ...sizeOf(chart) });
  try {
    drawn.setOption(optionOf(chart));
    return named(drawn.renderToSVGString({ useViewBox: true }), chart);
  } finally {
    drawn.dispose();
  }
}

async function library() {
  const [core, charts, components, renderers] = await Promise.all([
    import('echarts/core'),
    import('echarts/charts'),
    import('echarts/components'),
    import('echarts/renderers'),
  ]);
  core.use([
    charts.LineChart,
    charts.ScatterChart,
    charts.BarChart,
    components.TitleComponent,
    components.GridComponent,
    components.LegendComponent,
    components.MarkLineComponent,
    renderers.SVGRenderer,
  ]);
  return core;
}

/** The library numbers its names over a program's life; here they are numbered from 1, and each drawing of a page has its own. */
function named(drawing: string, { name, title, subtitle }: Chart): string {
  const numbers = new Map<string, number>();
  const own = drawing.replaceAll(/\bzr\d+-[\w-]+/g, (id) => {
    if (!numbers.has(id)) numbers.set(id, numbers.size + 1);
    return `${name}-${numbers.get(id)}`;
  });
  const end = own.indexOf('>');
  const told = `<title>${escaped(title)}</title><desc>${escaped(subtitle)}</desc>`;
  return `${own.slice(0, end)} role="img">${told}${own.slice(end + 1)}`;
}

export function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
