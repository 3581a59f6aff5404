//! The likelihood of each page given the parameters that a chain drew, its states summed out.

use super::chain::Chain;

impl Chain<'_, '_> {
    /// ln P(x, z in S | theta) of each page: of its features, and of states that are permitted, which are summed out exactly. Theta are the
    /// parameters of the last sweep, and where they are integrated out those that [`Chain::parameters`] drew last.
    ///
    /// Pages are independent given the parameters. So this is what leaving out one page leaves out, its states with it
    /// (Merkle, Furr & Rabe-Hesketh 2019). Of use where [`GibbsConfig::has_likelihood`](super::GibbsConfig::has_likelihood).
    ///
    /// # Cost
    /// O(n K) and with the previous sibling O(n K^2); O(n K F) more where parameters are integrated out.
    pub fn ln_likelihoods(&mut self) -> Vec<f64> {
        let sampler = self.sampler();
        let (config, specs) = (sampler.model().config(), sampler.model().specs());
        let pages = self.pages.iter_mut().zip(sampler.page_data()).enumerate();
        let of_pages = pages.map(|(number, (page, data))| match &self.given {
            Some(given) => {
                page.joint.filter(data.tree, &given.pages[number].ln, &given.potentials).ln_evidence()
            }
            None => {
                let mut ln = self.parameters.ln_emission(config, specs, data.tree, data.features);
                data.permitted.restrict(&mut ln);
                page.joint.filter(data.tree, &ln, &self.parameters.transition).ln_evidence()
            }
        });
        of_pages.collect()
    }
}
