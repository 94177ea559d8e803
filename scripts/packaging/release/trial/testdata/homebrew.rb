# A stand-in for the part of Homebrew that a formula of a release uses: https://docs.brew.sh/Formula-Cookbook
#
#   ruby homebrew.rb FORMULA facts macos|linux arm|intel    prints the address and the checksum for a system
#   ruby homebrew.rb FORMULA install PREFIX                 installs what is in the current folder
require "fileutils"
require "pathname"

class Pathname
  def install(*sources)
    mkpath
    sources.flatten.each do |source|
      raise "nothing to install: #{source}" unless File.exist?(source)

      FileUtils.cp_r(source, self)
    end
  end

  def install_symlink(*sources)
    mkpath
    sources.each { |source| FileUtils.ln_s(source, self/source.basename) }
  end
end

class Formula
  class << self
    attr_accessor :system, :processor, :facts

    %w[desc homepage version license url sha256].each do |name|
      define_method(name) { |value| (Formula.facts ||= {})[name] = value }
    end

    %w[macos linux].each { |name| define_method("on_#{name}") { |&block| block.call if Formula.system == name } }
    %w[arm intel].each { |name| define_method("on_#{name}") { |&block| block.call if Formula.processor == name } }

    def test; end
  end

  def prefix = Pathname(ARGV[2]).expand_path
  def bin = prefix/"bin"
  def libexec = prefix/"libexec"
  def man1 = prefix/"share/man/man1"
  def doc = prefix/"share/doc/skua"
  def pkgshare = prefix/"share/skua"
  def bash_completion = prefix/"etc/bash_completion.d"
  def zsh_completion = prefix/"share/zsh/site-functions"
  def fish_completion = prefix/"share/fish/vendor_completions.d"
end

formula, verb, Formula.system, Formula.processor = ARGV
load formula
case verb
when "facts"
  facts = Formula.facts
  %w[desc homepage version license url sha256].each { |name| raise "no #{name}" if facts[name].to_s.empty? }
  raise "the description has more than 80 characters" if facts["desc"].length > 80
  raise "the description begins with an article or ends in a period" if facts["desc"].match?(/\A(A|An|The) |\.\z/i)

  puts "#{facts["url"]} #{facts["sha256"]}"
when "install"
  Skua.new.install
end
