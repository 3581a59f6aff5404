import de.l3s.boilerpipe.BoilerpipeFilter;
import de.l3s.boilerpipe.document.TextBlock;
import de.l3s.boilerpipe.document.TextDocument;
import de.l3s.boilerpipe.extractors.ArticleExtractor;
import de.l3s.boilerpipe.extractors.CanolaExtractor;
import de.l3s.boilerpipe.extractors.DefaultExtractor;
import de.l3s.boilerpipe.extractors.KeepEverythingExtractor;
import de.l3s.boilerpipe.extractors.KeepEverythingWithMinKWordsExtractor;
import de.l3s.boilerpipe.extractors.LargestContentExtractor;
import de.l3s.boilerpipe.extractors.NumWordsRulesExtractor;
import de.l3s.boilerpipe.filters.simple.MinClauseWordsFilter;
import de.l3s.boilerpipe.filters.simple.SplitParagraphBlocksFilter;
import de.l3s.boilerpipe.sax.BoilerpipeSAXInput;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.PrintStream;
import java.io.StringReader;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.xml.sax.InputSource;

/**
 * Prints what Boilerpipe makes of each page of a folder of UTF-8 files, for the test of parity.
 *
 * Lines of fields parted by tabs, with line ends and tabs in texts as blanks and "\n":
 *   page, its name, its title
 *   block, words, words in links, text density, link density, a 0 or 1 for each extractor, text (in page order)
 *   text, the extractor's number, the text that getText gives
 */
public final class ReferenceBlocks {
  private ReferenceBlocks() {}

  public static void main(String[] arguments) throws Exception {
    // Boilerpipe warns of nested links on the standard error stream, thousands of times.
    PrintStream errors = System.err;
    System.setErr(new PrintStream(OutputStream.nullOutputStream()));
    List<Path> pages;
    try (Stream<Path> files = Files.list(Paths.get(arguments[0]))) {
      pages = files.sorted().collect(Collectors.toList());
    }
    try (Writer out = new OutputStreamWriter(System.out, StandardCharsets.UTF_8)) {
      for (Path page : pages) {
        out.write(describe(page));
      }
    } catch (Exception exception) {
      exception.printStackTrace(errors);
      System.exit(1);
    }
  }

  /** In the order of the flags; null stands for the article extractor with its sentence filters, run apart. */
  private static Map<String, BoilerpipeFilter> extractors() {
    Map<String, BoilerpipeFilter> all = new LinkedHashMap<>();
    all.put("boilerpipe-article", ArticleExtractor.INSTANCE);
    all.put("boilerpipe-default", DefaultExtractor.INSTANCE);
    all.put("boilerpipe-article-sentences", null);
    all.put("boilerpipe-largest-content", LargestContentExtractor.INSTANCE);
    all.put("boilerpipe-canola", CanolaExtractor.INSTANCE);
    all.put("boilerpipe-num-words-rules", NumWordsRulesExtractor.INSTANCE);
    all.put("boilerpipe-keep-everything", KeepEverythingExtractor.INSTANCE);
    all.put("boilerpipe-keep-everything-with-min-k-words", new KeepEverythingWithMinKWordsExtractor(10));
    return all;
  }

  private static TextDocument parse(String html) throws Exception {
    return new BoilerpipeSAXInput(new InputSource(new StringReader(html))).getTextDocument();
  }

  private static String describe(Path page) throws Exception {
    String html = new String(Files.readAllBytes(page), StandardCharsets.UTF_8);
    TextDocument untouched = parse(html);
    List<TextBlock> blocks = untouched.getTextBlocks();
    StringBuilder[] flags = new StringBuilder[blocks.size()];
    for (int i = 0; i < flags.length; i++) {
      flags[i] = new StringBuilder();
    }
    StringBuilder texts = new StringBuilder();
    for (Map.Entry<String, BoilerpipeFilter> extractor : extractors().entrySet()) {
      TextDocument document = parse(html);
      boolean[] content =
          extractor.getValue() == null ? sentences(document, blocks) : run(extractor.getValue(), document, blocks);
      for (int i = 0; i < flags.length; i++) {
        flags[i].append(content[i] ? '1' : '0');
      }
      texts.append("text\t").append(extractor.getKey()).append('\t').append(oneLine(document.getContent())).append('\n');
    }
    String title = untouched.getTitle() == null ? "" : untouched.getTitle();
    StringBuilder out = new StringBuilder("page\t").append(page.getFileName()).append('\t').append(oneLine(title)).append('\n');
    for (int i = 0; i < flags.length; i++) {
      TextBlock block = blocks.get(i);
      out.append("block\t").append(block.getNumWords()).append('\t').append(block.getNumWordsInAnchorText()).append('\t');
      out.append(block.getTextDensity()).append('\t').append(block.getLinkDensity()).append('\t');
      out.append(flags[i]).append('\t').append(oneLine(block.getText())).append('\n');
    }
    return out.append(texts).toString();
  }

  private static String oneLine(String text) {
    return text.replace('\t', ' ').replace('\r', ' ').replace("\n", "\\n");
  }

  /** Which of the page's blocks are within a block of content after the filter. */
  private static boolean[] run(BoilerpipeFilter filter, TextDocument document, List<TextBlock> blocks) throws Exception {
    filter.process(document);
    BitSet kept = new BitSet();
    for (TextBlock block : document.getTextBlocks()) {
      if (block.isContent()) {
        kept.or(block.getContainedTextElements());
      }
    }
    boolean[] content = new boolean[blocks.size()];
    for (int i = 0; i < content.length; i++) {
      content[i] = kept.intersects(blocks.get(i).getContainedTextElements());
    }
    return content;
  }

  /**
   * The same for the sentences extractor, step by step: its split blocks no longer say which text elements they hold,
   * but they follow each other as the page's blocks do within each block that is split. Blocks without text are lost.
   */
  private static boolean[] sentences(TextDocument document, List<TextBlock> blocks) throws Exception {
    ArticleExtractor.INSTANCE.process(document);
    List<Integer> order = new ArrayList<>();
    for (TextBlock block : document.getTextBlocks()) {
      for (int i = 0; i < blocks.size(); i++) {
        boolean within = block.getContainedTextElements().intersects(blocks.get(i).getContainedTextElements());
        if (within && !blocks.get(i).getText().isEmpty()) {
          order.add(i);
        }
      }
    }
    SplitParagraphBlocksFilter.INSTANCE.process(document);
    MinClauseWordsFilter.INSTANCE.process(document);
    List<TextBlock> split = document.getTextBlocks();
    if (split.size() != order.size()) {
      throw new IllegalStateException(split.size() + " split blocks of " + order.size());
    }
    boolean[] content = new boolean[blocks.size()];
    for (int i = 0; i < split.size(); i++) {
      if (!split.get(i).getText().equals(blocks.get(order.get(i)).getText())) {
        throw new IllegalStateException("the split blocks are not those of the page");
      }
      content[order.get(i)] = split.get(i).isContent();
    }
    return content;
  }
}
